import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../log/entry/entry.ts';
import { LogIndex } from './logIndex.ts';
import { entryOf } from './testing/logOf.ts';

const step = fc.record({
  seq: fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 1000 })),
  ms: fc.oneof({ weight: 20, arbitrary: fc.nat({ max: 5 }) }, fc.constantFrom(0.5, 2 ** 33, 86_400_000)),
  stream: fc.constantFrom('a', 'b'),
});

test('gives back the number, the time and the shape of every entry, however they jump', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
      let seq = 0;
      let at = 1_700_000_000_000;
      const entries: readonly Entry[] = steps.map((one) => {
        seq += one.seq;
        at += one.ms;
        return entryOf(seq, at, 1, { kind: 'received', stream: one.stream, raw: '{}' });
      });
      const index = new LogIndex();
      for (const entry of entries) index.add([entry]);
      for (const [i, entry] of entries.entries()) {
        expect([index.seqAt(i), index.timeAt(i)]).toEqual([entry.seq, entry.at]);
        expect(index.shapeAt(i).stream).toBe('stream' in entry ? entry.stream : '');
        expect(index.positionOf(entry.seq)).toBe(i);
        const rest = Array.from({ length: index.blockEnd(i) - i }, (_, k) => index.shapeNumberAt(i + k));
        const told = index.shapesInBlock(i);
        if (told) expect(new Set(told), 'what is before is not told').toEqual(new Set(rest));
        else expect(i % 32).not.toBe(0);
      }
      expect(index.seqAt(entries.length)).toBe(0);
    }),
  );
});

test('more shapes than two bytes can tell apart, and more entries than a chunk holds', () => {
  const index = new LogIndex();
  const count = 70_000;
  index.add(
    Array.from({ length: count }, (_, i) =>
      entryOf(i + 1, i, 1, { kind: 'position', stream: `s${i}`, eventId: '1' }),
    ),
  );
  for (const i of [0, 4095, 4096, 65_535, 65_536, count - 1]) {
    expect(index.shapeAt(i).stream).toBe(`s${i}`);
    expect(index.seqAt(i)).toBe(i + 1);
  }
});
