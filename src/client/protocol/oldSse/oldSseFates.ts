/** What a new page makes of the calls that the last one left open on the old HTTP+SSE transport. Pure. */
import { isOpen, type Call } from '../../../log/state/call.ts';
import type { ReasonOf } from '../../../log/reasons/reason.ts';

export interface OldSseFate {
  readonly name: 'unknown' | 'lost';
  readonly callId: string;
  readonly reason: ReasonOf<'old-sse'>;
}

/** A session of the old transport lives as long as its one stream: no page comes back to it. */
export function decideOldSseFates(calls: Iterable<Call>): readonly OldSseFate[] {
  const open = [...calls].filter((call) => isOpen(call) && call.taskId === undefined);
  return open.map(({ id, name }) =>
    name === 'sending'
      ? { name: 'unknown', callId: id, reason: { code: 'old-sse', how: 'not-taken' } }
      : { name: 'lost', callId: id, reason: { code: 'old-sse', how: 'lost' } },
  );
}
