/** Whether a trace of a run would hold credentials: it has every header and every URL, and reports are shared. Pure. */
import { keysOfUrl } from '../../src/base/urlKeys.ts';
import type { VerifyOptions } from '../verify.ts';

export function holdsCredentials({
  url,
  headers,
  bearer,
}: Pick<VerifyOptions, 'url' | 'headers' | 'bearer'>): boolean {
  return bearer !== undefined || Object.keys(headers).length > 0 || keysOfUrl(url).length > 0;
}
