import { describe, expect, it } from 'vitest';
import { SeenEvents } from './seenEvents.ts';

describe('SeenEvents', () => {
  it('knows what came on the same stream', () => {
    const seen = new SeenEvents();
    seen.add('a', '1', 'x');
    expect(seen.isReplayOfKnown('a', '1')).toBe(true);
    expect(seen.isReplayOfKnown('a', '2')).toBe(false);
  });

  it("knows another stream's event, where ids are unique in a session", () => {
    const seen = new SeenEvents();
    seen.add('a', 'a1', 'x');
    seen.add('b', 'b1', 'y');
    expect(seen.isReplayOfKnown('b', 'a1')).toBe(true);
  });

  it('loses nothing of a server that numbers each stream from 1', () => {
    const seen = new SeenEvents();
    for (const id of ['1', '2', '3']) seen.add('a', id, `a ${id}`);
    seen.add('b', '1', 'b 1');
    expect(seen.isReplayOfKnown('b', '2')).toBe(false);
    expect(seen.isReplayOfKnown('a', '2')).toBe(true);
  });

  it("is not misled by another stream's event that came twice, nor by an event that only names a position", () => {
    const seen = new SeenEvents();
    seen.add('a', 'a1', 'x');
    seen.add('a', 'b1', 'y');
    seen.add('b', 'b1', 'y');
    seen.add('b', 'b1', '');
    expect(seen.isReplayOfKnown('b', 'a1')).toBe(true);
  });
});
