/** What a new page makes of the calls that the last one left open on the old HTTP+SSE transport. Pure. */
import { isOpen, type Call } from '../../log/call.ts';
import type { ReasonCode } from '../../log/reason.ts';

export interface OldSseFate {
  readonly name: 'unknown' | 'lost';
  readonly callId: string;
  readonly why: string;
  readonly reason: ReasonCode;
}

const OLD_SSE_UNKNOWN =
  'The page left before the server took the call, and the old HTTP+SSE transport ends its session with the page. Whether the tool ran is not known: look before you call it again.';
const OLD_SSE_LOST =
  'The old HTTP+SSE transport ends its session with the page. Whether the tool ran to its end is not known, and its result is not reachable: look before you call it again.';

/** A session of the old transport lives as long as its one stream: no page comes back to it. */
export function decideOldSseFates(calls: Iterable<Call>): readonly OldSseFate[] {
  const open = [...calls].filter((call) => isOpen(call) && call.taskId === undefined);
  return open.map(({ id, name }) =>
    name === 'sending'
      ? { name: 'unknown', callId: id, why: OLD_SSE_UNKNOWN, reason: 'old-sse' }
      : { name: 'lost', callId: id, why: OLD_SSE_LOST, reason: 'old-sse' },
  );
}
