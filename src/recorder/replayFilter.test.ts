import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplayFilter, type SeenEvent } from './replayFilter.ts';

const live = (stream: string, eventId: string, text: string): SeenEvent => ({
  stream,
  eventId,
  text,
  listens: false,
});
const byGet = (stream: string, eventId: string, text: string): SeenEvent => ({
  stream,
  eventId,
  text,
  listens: true,
});

function seenOf(...events: readonly SeenEvent[]): ReplayFilter {
  const seen = new ReplayFilter();
  for (const event of events) seen.note(event);
  return seen;
}

describe('ReplayFilter', () => {
  it('knows the same in another thread, whenever it goes there', () => {
    const event = fc.record({
      stream: fc.constantFrom('a', 'b', 'c'),
      eventId: fc.constantFrom('1', '2', '3', 'x.1', 'x.2', 'x.3'),
      text: fc.constantFrom('', 'p', 'q'),
      listens: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 5, maxLength: 30 }), fc.nat(12), (events, movedAt) => {
        const here = new ReplayFilter();
        let there = new ReplayFilter();
        for (const [i, one] of events.entries()) {
          if (i === movedAt) {
            const { events: known } = there;
            there = new ReplayFilter();
            there.takeOver(structuredClone(known));
          }
          here.noteOwn(one.stream, `m${i}`);
          there.noteOwn(one.stream, `m${i}`);
          expect(there.note(one)).toBe(here.note(one));
        }
        expect(there.mixesStreams).toBe(here.mixesStreams);
        for (const [i, { stream }] of events.entries())
          expect(there.hasOwn(stream, `m${i}`)).toBe(here.hasOwn(stream, `m${i}`));
      }),
      { numRuns: 1000 },
    );
  });

  it('knows what came on the same stream', () => {
    const seen = seenOf(live('a', '1', 'x'));
    expect(seen.note(byGet('a', '1', 'x'))).toBe('here');
    expect(seen.note(byGet('a', '2', 'x'))).toBe('new');
  });

  it("knows another stream's event, where ids are unique in a session", () => {
    const seen = seenOf(live('a', 'a1', 'x'), live('b', 'b1', 'y'));
    expect(seen.note(byGet('b', 'a1', 'x'))).toBe('elsewhere');
  });

  it('knows an event that a GET brought before its own stream did', () => {
    const seen = seenOf(byGet('a', 'b1', 'y'));
    expect(seen.note(live('b', 'b1', 'y'))).toBe('elsewhere');
  });

  it('takes an id of another stream with another content for a new event', () => {
    const seen = seenOf(live('a', '7', 'a 7'));
    expect(seen.note(byGet('c', '7', 'a 7'))).toBe('elsewhere');
    expect(seen.note(byGet('b', '7', 'b 7'))).toBe('new');
  });

  it('loses nothing of a server that numbers each stream from 1', () => {
    const seen = seenOf(live('a', '1', 'a 1'), live('a', '2', 'the same'), live('b', '1', 'b 1'));
    expect(seen.note(live('b', '2', 'the same'))).toBe('new');
    expect(seen.note(byGet('c', '2', 'the same'))).toBe('new');
    expect(seen.note(byGet('a', '2', 'the same'))).toBe('here');
  });

  it("is not misled by another stream's event that came twice, nor by an event that only names a position", () => {
    const seen = seenOf(
      live('a', 'a1', 'x'),
      live('a', 'b1', 'y'),
      live('b', 'b1', 'y'),
      live('b', 'b1', ''),
    );
    expect(seen.note(byGet('b', 'a1', 'x'))).toBe('elsewhere');
  });
});
