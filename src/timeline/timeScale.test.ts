import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogIndex } from './logIndex.ts';
import { extentOf } from './extent.ts';
import { reloadedCall } from './testing/logOf.ts';
import { fit, TimeScale } from './timeScale.ts';

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

test('pans, fits and moves to a moment', () => {
  const one = new TimeScale({ from: 1000, to: 2000 }, 500);
  expect(one.pan(250)).toMatchObject({ from: 1500, to: 2500 });
  expect(fit({ from: 1000, to: 2000 }, 500)).toMatchObject({ from: 970, to: 2030 });
  expect(one.showing(1500)).toBe(one);
  expect(one.showing(3000, 0).to).toBeCloseTo(3000);
  expect(one.showing(500, 0).from).toBeCloseTo(500);
});

test('a log reaches from its first entry to its last, or to now', () => {
  const index = new LogIndex();
  expect(extentOf(index, 5000)).toEqual({ from: 4000, to: 5000 });
  index.add(reloadedCall);
  expect(extentOf(index)).toEqual({ from: 1000, to: 5300 });
  expect(extentOf(index, 9000)).toEqual({ from: 1000, to: 9000 });
});
