import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventIdMap } from './eventIdMap.ts';

describe('EventIdMap', () => {
  it('knows exactly the IDs that were added, counted ones and others, in any order, in whatever thread', () => {
    const counted = fc.tuple(fc.constantFrom('', 'a.', 'b.', '0', '1', 'a.00', '12345678901234'), fc.nat(12));
    const id = fc.oneof(
      { weight: 4, arbitrary: counted.map(([prefix, number]) => `${prefix}${number}`) },
      { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), fc.array(id), fc.nat(20), (ids, asked, handedOverAt) => {
        let map = new EventIdMap();
        const model = new Map<string, number>();
        for (const [value, one] of ids.entries()) {
          if (value === handedOverAt) map = new EventIdMap(structuredClone(map.ids));
          expect(map.add(one, value)).toBe(model.get(one));
          if (!model.has(one)) model.set(one, value);
        }
        for (const one of [...ids, ...asked]) expect(map.get(one)).toBe(model.get(one));
      }),
      { numRuns: 1000 },
    );
  });

  it('tells IDs apart that have the same number with other zeros', () => {
    const map = new EventIdMap();
    for (const [value, id] of ['7', '8', '9', '07', '08', '008', '10'].entries()) {
      expect(map.add(id, value)).toBeUndefined();
    }
    expect(map.get('8')).toBe(1);
    expect(map.get('08')).toBe(4);
    expect(map.get('008')).toBe(5);
    expect(map.get('010')).toBeUndefined();
    expect(map.get('10')).toBe(6);
  });

  it('forgets the oldest IDs that are not counted, and nothing else', () => {
    const map = new EventIdMap();
    for (const id of ['x', 'a.1', 'a.2', 'a.3', 'y', 'z']) map.add(id, 1);
    expect(map.trim(2)).toEqual(['x', 'a.1']);
    expect(['x', 'a.1', 'a.2', 'a.3', 'y', 'z'].map((id) => map.get(id))).toEqual([
      undefined,
      undefined,
      1,
      1,
      1,
      1,
    ]);
  });

  it('is empty after clear', () => {
    const map = new EventIdMap();
    for (const id of ['a.1', 'a.2', 'a.3', 'x']) map.add(id, 1);
    map.clear();
    for (const id of ['a.1', 'a.2', 'a.3', 'x']) expect(map.get(id)).toBeUndefined();
  });
});
