import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { backoffMs, PACES } from './backoff.ts';

const delays = (pace: keyof typeof PACES, random: number) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backoffMs(attempt, pace, random));

describe('the pause before the next try', () => {
  it('doubles up to its cap', () => {
    expect(delays('quick', 0.5)).toEqual([50, 100, 200, 400, 800, 1600, 2000, 2000]);
    expect(delays('calm', 0.5)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('is up to a quarter shorter or longer, so that many streams don’t ask at once', () => {
    expect(delays('calm', 0)).toEqual([188, 375, 750, 1500, 3000, 6000, 7500, 7500]);
    expect(delays('calm', 1)).toEqual([313, 625, 1250, 2500, 5000, 10_000, 12_500, 12_500]);
  });

  it('stays within those bounds, however often a server fails', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.constantFrom('quick' as const, 'calm' as const),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, pace, random) => {
          const delayMs = backoffMs(attempt, pace, random);
          expect(delayMs).toBeGreaterThanOrEqual(Math.floor(PACES[pace].firstMs * 0.75));
          expect(delayMs).toBeLessThanOrEqual(PACES[pace].capMs * 1.25);
        },
      ),
    );
  });
});
