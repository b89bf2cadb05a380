import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Entry } from './entry/entry.ts';
import { packEntries } from './entry/packedEntries.ts';
import { Tail } from './tail.ts';

const entry = (seq: number): Entry => ({
  seq,
  at: 1,
  load: 1,
  kind: 'received',
  stream: 's',
  method: 'notifications/progress',
  raw: `${seq}`,
});

it('has the newest entries in order, packed or not, whenever somebody looks', () => {
  const step = fc.record({
    count: fc.integer({ min: 1, max: 4000 }),
    isPacked: fc.boolean(),
    looks: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const tail = new Tail();
      let last = 0;
      for (const { count, isPacked, looks } of steps) {
        const added = Array.from({ length: count }, (_, i) => entry(last + 1 + i));
        last += count;
        tail.add(isPacked ? packEntries(added) : added);
        if (looks) expect(tail.entries.at(-1)?.seq).toBe(last);
      }
      const { entries } = tail;
      expect(entries.length).toBeGreaterThanOrEqual(Math.min(last, 5000));
      expect(entries.length).toBeLessThanOrEqual(10_000);
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => last - entries.length + 1 + i));
    }),
    { numRuns: 50 },
  );
});
