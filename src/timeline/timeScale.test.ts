import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf } from './columns.ts';
import { LogIndex } from './logIndex.ts';
import { extentOf, fitted, panned, shownRange, withMoment, zoomed } from './shown.ts';
import { entryOf, reloadedCall } from './testing/logOf.ts';
import { fit, sinceZero, TimeScale } from './timeScale.ts';
import { recorded } from '../log/reasons/reason.ts';

const scale = fc
  .record({
    from: fc.integer({ min: 1_600_000_000_000, max: 1_800_000_000_000 }),
    length: fc.integer({ min: 20, max: 100_000_000 }),
    width: fc.integer({ min: 50, max: 4000 }),
  })
  .map(({ from, length, width }) => new TimeScale({ from, to: from + length }, width));
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('time and pixels lead to each other', () => {
  fc.assert(
    fc.property(scale, share, (one, part) => {
      const x = part * one.width;
      expect(one.x(one.time(x))).toBeCloseTo(x, 0);
    }),
  );
});

test('what is under the pointer stays there while zooming', () => {
  fc.assert(
    fc.property(scale, share, fc.double({ min: 0.2, max: 5, noNaN: true }), (one, part, factor) => {
      const x = part * one.width;
      const zoomed = one.zoom(factor, x);
      expect(Math.abs(zoomed.time(x) - one.time(x)) * zoomed.pixelsPerMs).toBeLessThan(1);
    }),
  );
});

test('never closer than there is something to see, nor wider than a year', () => {
  const one = new TimeScale({ from: 1000, to: 2000 }, 500);
  expect(one.zoom(1e9, 250).lengthMs).toBe(20);
  expect(one.zoom(1e-12, 250).lengthMs).toBe(366 * 86_400_000);
});

test('pans, fits and follows', () => {
  const one = new TimeScale({ from: 1000, to: 2000 }, 500);
  expect(one.pan(250)).toMatchObject({ from: 1500, to: 2500 });
  expect(fit({ from: 1000, to: 2000 }, 500)).toMatchObject({ from: 970, to: 2030 });
  expect(one.endingAt(5000, 50)).toMatchObject({ from: 4100, to: 5100 });
  expect(one.showing(1500)).toBe(one);
  expect(one.showing(3000, 0).to).toBeCloseTo(3000);
  expect(one.showing(500, 0).from).toBeCloseTo(500);
});

test('ticks are round, inside, and not too many', () => {
  fc.assert(
    fc.property(scale, (one) => {
      const ticks = one.ticks(one.from - 123);
      expect(ticks.every((tick) => tick >= one.from - 1e-3 && tick <= one.to + 1e-3)).toBe(true);
      expect(ticks.length).toBeLessThanOrEqual(one.width / 90 + 1);
    }),
  );
  expect(new TimeScale({ from: 0, to: 10_000 }, 1000).ticks(0)).toEqual(
    Array.from({ length: 11 }, (_, i) => i * 1000),
  );
});

test.each([
  [0, '+0 ms'],
  [250, '+250 ms'],
  [-1500, '−1.50 s'],
  [12_000, '+12 s'],
  [75_000, '+1:15 min'],
  [3_900_000, '+1:05 h'],
])('%d ms since zero is %s', (ms, words) => {
  expect(sinceZero(ms)).toBe(words);
});

test('shows all of a short log, the newest of a long one, and follows or stays', () => {
  const short = { from: 0, to: 10_000 };
  expect(shownRange({ shown: undefined, isFollowing: true }, short)).toEqual({ from: -300, to: 10_300 });
  const long = { from: 0, to: 3_600_000 };
  expect(shownRange({ shown: undefined, isFollowing: true }, long).from).toBe(3_600_000 - 120_000 * 1.03);
  const shown = { from: 1000, to: 2000 };
  expect(shownRange({ shown, isFollowing: false }, long)).toBe(shown);
  expect(shownRange({ shown, isFollowing: true }, short)).toEqual({ from: 9024, to: 10_024 });
  expect(zoomed(shown, 2)).toEqual({ from: 1250, to: 1750 });
  expect(panned(shown, 0.5)).toEqual({ from: 1500, to: 2500 });
  expect(withMoment(shown, 1500)).toEqual(shown);
  expect(withMoment(shown, 5000).to).toBeCloseTo(5024);
  expect(fitted(short)).toEqual({ from: -300, to: 10_300 });
});

test('a log reaches from its first entry to its last, or to now', () => {
  const index = new LogIndex();
  expect(extentOf(index, 5000)).toEqual({ from: 4000, to: 5000 });
  index.add(reloadedCall);
  expect(extentOf(index)).toEqual({ from: 1000, to: 5300 });
  expect(extentOf(index, 9000)).toEqual({ from: 1000, to: 9000 });
});

test('columns count every entry where it is', () => {
  const index = new LogIndex();
  index.add(
    Array.from({ length: 500 }, (_, i) =>
      entryOf(i + 1, i < 400 ? 0 : i, 1, { kind: 'note', level: 'info', reason: recorded('') }),
    ),
  );
  const columns = columnsOf(index, new TimeScale({ from: 0, to: 500 }, 100), 2);
  expect(columns[0]).toBe(400);
  expect(columns.reduce((sum, n) => sum + n, 0)).toBe(500);
});
