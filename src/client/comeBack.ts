/** What a new page load makes of the calls that the last one left open. Pure. */
import type { Call } from '../log/call.ts';
import { isOpen } from '../log/call.ts';
import type { StreamPosition } from '../log/streamPosition.ts';

export type Fate =
  | { readonly name: 'follow'; readonly callId: string; readonly cursor: string }
  | { readonly name: 'unknown' | 'lost'; readonly callId: string; readonly why: string };

export interface Left {
  readonly calls: Iterable<Call>;
  readonly streams: ReadonlyMap<string, StreamPosition>;
  readonly hasSession: boolean;
  readonly namesPositions: boolean;
}

const LEFT_TOO_EARLY =
  'The page left before the server named a position. Whether the tool ran is not known: look before you call it again.';
const CANNOT_REPLAY =
  'This server cannot replay: the call may still be running, its result is not reachable.';
const NO_SESSION =
  'This server keeps no session to come back to. Whether the tool ran to its end is not known: look before you call it again.';

export function decideFates({ calls, streams, hasSession, namesPositions }: Left): readonly Fate[] {
  // A task is polled on, whatever became of the stream that it began on.
  const open = [...calls].filter((call) => isOpen(call) && call.taskId === undefined);
  return open.map((call): Fate => {
    const callId = call.id;
    const cursor = streams.get(callId)?.cursor;
    if (!hasSession) return { name: 'unknown', callId, why: NO_SESSION };
    if (cursor !== undefined) return { name: 'follow', callId, cursor };
    // No answer had begun: the request may not even have arrived.
    if (call.name === 'sending' || namesPositions) return { name: 'unknown', callId, why: LEFT_TOO_EARLY };
    return { name: 'lost', callId, why: CANNOT_REPLAY };
  });
}

const OLD_SSE_UNKNOWN =
  'The page left before the server took the call, and the old HTTP+SSE transport ends its session with the page. Whether the tool ran is not known: look before you call it again.';
const OLD_SSE_LOST =
  'The old HTTP+SSE transport ends its session with the page. Whether the tool ran to its end is not known, and its result is not reachable: look before you call it again.';

/** A session of the old transport lives as long as its one stream: no page comes back to it. */
export function decideOldSseFates(calls: Iterable<Call>): readonly Exclude<Fate, { name: 'follow' }>[] {
  const open = [...calls].filter((call) => isOpen(call) && call.taskId === undefined);
  return open.map(({ id, name }) =>
    name === 'sending'
      ? { name: 'unknown', callId: id, why: OLD_SSE_UNKNOWN }
      : { name: 'lost', callId: id, why: OLD_SSE_LOST },
  );
}
