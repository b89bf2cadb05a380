import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLimitBytes, planRemovals, usageOf, type StoredShare } from './storageLimit.ts';

/** A log of so many segments, each of ten entries and 100 bytes. */
function share(id: string, segments: number, usedAt: number, neededSince = Infinity): StoredShare {
  return {
    id,
    usedAt,
    neededSince,
    segments: Array.from({ length: segments }, (_, n) => ({
      n: n + 1,
      first: n * 10 + 1,
      last: n * 10 + 10,
      sizeBytes: 100,
    })),
  };
}

describe('one limit for all servers', () => {
  it('is a sum over them, the largest first, and warns at 80 %', () => {
    const shares = [share('a', 2, 1), share('b', 6, 2)];
    expect(usageOf(shares, 1001)).toMatchObject({ usedBytes: 800, isAlmostFull: false });
    expect(usageOf(shares, 1000)).toEqual({
      limitBytes: 1000,
      usedBytes: 800,
      isAlmostFull: true,
      servers: [
        { id: 'b', usedBytes: 600 },
        { id: 'a', usedBytes: 200 },
      ],
    });
  });

  it('removes nothing below the limit', () => {
    expect(planRemovals([share('a', 9, 1)], 1000)).toEqual([]);
  });

  it('takes the oldest of the least recently used server first, whichever is the largest', () => {
    const shares = [share('used now', 8, 30), share('used long ago', 3, 10), share('used before', 5, 20)];
    expect(planRemovals(shares, 1600)).toEqual([{ id: 'used long ago', keepBytes: 140 }]);
    expect(planRemovals(shares, 1200)).toEqual([
      { id: 'used long ago', keepBytes: 100 },
      { id: 'used before', keepBytes: 180 },
    ]);
  });

  it('takes nothing that an open call needs, and goes on with the next server', () => {
    const shares = [share('has an open call', 10, 1, 15), share('other', 10, 2)];
    expect(planRemovals(shares, 2000)).toEqual([
      { id: 'has an open call', keepBytes: 900 },
      { id: 'other', keepBytes: 900 },
    ]);
  });

  it('frees what it must, as far as it can, and never of a server while an older one has something left', () => {
    const arbitrary = fc.array(
      fc.tuple(fc.nat(30), fc.nat(5), fc.oneof(fc.nat(300), fc.constant(Infinity))),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(arbitrary, fc.integer({ min: 1, max: 8000 }), (sizes, limit) => {
        const shares = sizes.map(([n, usedAt, needed], i) => share(`s${i}`, n, usedAt, needed));
        const removals = planRemovals(shares, limit);
        const removable = (one: StoredShare) =>
          100 * one.segments.slice(0, -1).filter(({ last }) => last < one.neededSince).length;
        const freed = (one: StoredShare) => {
          const removal = removals.find(({ id }) => id === one.id);
          return removal ? one.segments.length * 100 - removal.keepBytes : 0;
        };
        const used = shares.reduce((sum, one) => sum + one.segments.length * 100, 0);
        const wanted = used < limit ? 0 : used - 0.9 * limit;
        const possible = shares.reduce((sum, one) => sum + removable(one), 0);
        const all = shares.reduce((sum, one) => sum + freed(one), 0);
        expect(all).toBeCloseTo(Math.min(wanted, possible), 5);
        for (const younger of shares) {
          for (const older of shares) {
            if (older.usedAt >= younger.usedAt || freed(younger) === 0) continue;
            expect(freed(older)).toBeCloseTo(removable(older), 5);
          }
        }
      }),
    );
  });
});

describe('the limit that was set', () => {
  it.each([
    ['64', 64_000_000],
    ['1', 1_000_000],
    ['0', 500_000_000],
    ['-5', 500_000_000],
    ['much', 500_000_000],
    ['Infinity', 500_000_000],
    [undefined, 500_000_000],
  ])('%s is %i bytes', (text, bytes) => {
    expect(parseLimitBytes(text)).toBe(bytes);
  });
});
