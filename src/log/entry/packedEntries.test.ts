import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { packEntries, unpackEntries } from './packedEntries.ts';

const entry = fc.record(
  {
    kind: fc.constant('received' as const),
    stream: fc.constantFrom('a', 'b'),
    raw: fc.string(),
    at: fc.nat(),
    load: fc.constantFrom(1, 2),
    callId: fc.constantFrom('a', 'b'),
    method: fc.constantFrom('m', 'n'),
    eventId: fc.string(),
    replayed: fc.constant(true as const),
  },
  { requiredKeys: ['kind', 'stream', 'raw', 'at', 'load'] },
);
const note = fc.record({
  kind: fc.constant('note' as const),
  level: fc.constant('info' as const),
  reason: fc.record({ code: fc.constant('recorded' as const), text: fc.string() }),
  at: fc.nat(),
  load: fc.constant(1),
});
const entries = fc
  .array(fc.oneof({ weight: 4, arbitrary: entry }, note), { maxLength: 30 })
  .map((list): Entry[] => list.map((one, i) => ({ ...one, seq: i + 1 })));

describe('runs', () => {
  it('give back every entry as it was', () => {
    fc.assert(
      fc.property(entries, (list) => {
        expect(unpackEntries(structuredClone(packEntries(list)))).toEqual(list);
      }),
    );
  });

  it('keep a burst as one', () => {
    const burst = Array.from({ length: 500 }, (_, i): Entry => ({
      seq: i + 1,
      at: 1,
      load: 1,
      kind: 'received',
      stream: 's',
      eventId: `e${i}`,
      raw: `${i}`,
    }));
    expect(packEntries(burst)).toHaveLength(1);
  });
});
