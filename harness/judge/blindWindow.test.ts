import { describe, expect, it } from 'vitest';
import type { RawEvent } from '../probe/sseReader.ts';
import { isPrimed, sayBlindWindow } from './blindWindow.ts';

const event = (at: number, id?: string, message?: RawEvent['message']): RawEvent => ({ at, id, message });
const TICK = { method: 'notifications/progress' };
const say = (events: readonly RawEvent[], isStream = true): string =>
  sayBlindWindow({ events, isStream, startedAt: 1000, durationMs: 2000 });

describe('the blind window of a call', () => {
  it.each([
    [
      'ends with a priming event',
      say([event(1005, 'a'), event(1500, 'b', TICK)]),
      'Blind window: 5 of 2000 ms, because the server sends an event ID before the first message.',
    ],
    [
      'ends with the first message, and the author reads what to send before it',
      say([event(1500, 'a', TICK)]),
      'Blind window: 500 of 2000 ms, because the first event ID arrives with the first message. Send an event with an ID and empty data first (SEP-1699).',
    ],
    [
      'is long if a priming event is held back',
      say([event(2400, 'a'), event(2400, 'b', TICK)]),
      'Blind window: 1400 of 2000 ms, although the first event has an ID and no message. Send and flush it before the tool runs.',
    ],
    [
      'is not the fault of a server whose priming event is late on a busy machine',
      say([event(2400, 'a'), event(2500, 'b', TICK)]),
      'Blind window: 1400 of 2000 ms, because the server sends an event ID before the first message.',
    ],
    [
      'is the whole call without event IDs',
      say([event(1500, undefined, TICK)]),
      'Blind window: the whole call (2000 ms), because the server sends no event IDs.',
    ],
    [
      'is the whole call of a JSON response',
      say([event(3000, undefined, TICK)], false),
      'Blind window: the whole call (2000 ms), because the server responds with JSON.',
    ],
  ])('%s', (_, said, expected) => {
    expect(said).toBe(expected);
  });

  it('is primed by the order of events, and by no clock', () => {
    expect(isPrimed([event(1000, 'a'), event(1000, 'b', TICK)])).toBe(true);
    expect(isPrimed([event(1000, 'a', TICK)])).toBe(false);
    expect(isPrimed([event(1000), event(1001, 'a')])).toBe(false);
    expect(isPrimed([])).toBe(false);
  });
});
