/** Reads a call over plain HTTP to its response, on as many streams as the server makes of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RawServer } from './reach.ts';
import type { RawEvent, SseReader } from './sseReader.ts';

const POLL_MS = 250;

/**
 * A server may end the stream of a call on purpose, and wait to be asked for the rest (2025-11-25, polling).
 *
 * @param isEnough whether to stop before the response
 */
export async function followCall(
  server: Pick<RawServer, 'get'>,
  first: SseReader,
  id: string,
  timeoutMs: number,
  isEnough: (events: readonly RawEvent[]) => boolean = () => false,
): Promise<readonly RawEvent[]> {
  const endsAt = Date.now() + timeoutMs;
  const isOver = (events: readonly RawEvent[]): boolean =>
    isEnough(events) || events.some(({ message }) => message?.['id'] === id);
  const events: RawEvent[] = [];
  let stream: SseReader | undefined = first;
  while (stream) {
    const reader: SseReader = stream;
    await reader.until(() => isOver([...events, ...reader.events]), endsAt - Date.now());
    events.push(...reader.events);
    const last = events.findLast((event) => event.id !== undefined)?.id;
    const isPolled =
      !isOver(events) && reader.isStream && reader.ended && last !== undefined && Date.now() < endsAt;
    if (isPolled) await pause(POLL_MS);
    stream = isPolled ? await server.get?.(last) : undefined;
  }
  return events;
}
