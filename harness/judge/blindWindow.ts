/** Says how long a call can't be resumed: from its POST to its first event ID, measured over plain HTTP. Pure. */
import type { RawEvent } from '../probe/sseReader.ts';

export interface BlindCall {
  readonly isStream: boolean;
  readonly events: readonly RawEvent[];
  readonly startedAt: number;
  readonly durationMs: number;
}

/** The server has sent an event ID before the first message: a priming event. */
export const isPrimed = ([first]: readonly RawEvent[]): boolean =>
  // By their order: both may come in one piece, and then no clock can tell them apart.
  first?.id !== undefined && first.message === undefined;

export function sayBlindWindow({ isStream, events, startedAt, durationMs }: BlindCall): string {
  const first = events.find(({ id }) => id !== undefined);
  if (!first) {
    const why = isStream ? 'the server sends no event IDs' : 'the server responds with JSON';
    return `Blind window: the whole call (${durationMs} ms), because ${why}.`;
  }
  const blindMs = first.at - startedAt;
  const measured = `Blind window: ${blindMs} of ${durationMs} ms`;
  if (!isPrimed(events))
    return `${measured}, because the first event ID arrives with the first message. Send an event with an ID and empty data first (SEP-1699).`;
  return isHeldBack(events, blindMs, durationMs)
    ? `${measured}, although the first event has an ID and no message. Send and flush it before the tool runs.`
    : `${measured}, because the server sends an event ID before the first message.`;
}

/** What comes in one piece with the first message was not sent before it; late alone may be a busy machine. */
const IN_ONE_PIECE_MS = 20;

function isHeldBack(events: readonly RawEvent[], blindMs: number, durationMs: number): boolean {
  const message = events.find((event) => event.message !== undefined);
  const apartMs = (message?.at ?? Infinity) - (events[0]?.at ?? 0);
  return blindMs > durationMs / 2 && apartMs <= IN_ONE_PIECE_MS;
}
