/** What is wrong with a stream, as the log has it. */
import type { Reason } from '../../log/reasons/reason.ts';
import type { Trouble } from './stream.ts';

export function reasonOfTrouble({ code, status = 0, detail }: Trouble): Reason {
  switch (code) {
    case 'page-loaded':
    case 'broken':
      return { code };
    case 'no-answer':
      return { code, how: 'connection', ...(detail !== undefined && { text: detail }) };
    case 'held':
    case 'unavailable':
      return { code, status };
    case 'refused':
      return { code: 'stream-refused', status };
  }
}
