import { describe, expect, it } from 'vitest';
import type { Control } from './context.ts';
import { middle, momentAt, msUntilOver, seedOf, seededRandom } from './moment.ts';

/** Its messages come at even intervals, or all at once at the end. */
const control = (messages: number, isBuffered = false) =>
  ({
    durationMs: 1000,
    observed: {
      call: { startedAt: 5000 },
      messages: Array.from({ length: messages }, (_, at) => ({
        at: 5000 + (isBuffered ? 995 : (1000 / messages) * (at + 1)),
      })),
    },
  }) as unknown as Control;

describe('momentAt', () => {
  it('is a number of messages where there are some', () => {
    expect(momentAt(control(24), 0.5)).toEqual({ name: 'received', messages: 12 });
  });
  it('leaves something to be missed, and something to be received', () => {
    expect(momentAt(control(4), 0)).toEqual({ name: 'received', messages: 1 });
    expect(momentAt(control(4), 1)).toEqual({ name: 'received', messages: 2 });
  });
  it('is a time for a tool that says nothing on its way', () => {
    expect(momentAt(control(1), 0.5)).toEqual({ name: 'elapsed', ms: 500 });
  });
  it('is a time where every message comes at the end', () => {
    expect(momentAt(control(24, true), 0.5)).toEqual({ name: 'elapsed', ms: 500 });
  });
});

describe('seededRandom', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    const take = (seed: number) => Array.from({ length: 4 }, seededRandom(seed));
    expect(take(7)).toEqual(take(7));
    expect(take(7)).not.toEqual(take(8));
    expect(take(7).every((number) => number >= 0 && number < 1)).toBe(true);
  });
  it('moves the moment around the middle', () => {
    expect(middle(() => 0)).toBeGreaterThan(0.3);
    expect(middle(() => 1)).toBeLessThan(0.7);
  });
});

describe('msUntilOver', () => {
  it('is what is left of the control call, and a margin', () => {
    expect(msUntilOver(control(10), { received: 5, elapsedMs: 500 })).toBe(1200);
  });
  it('grows with a call that is slower than the control', () => {
    expect(msUntilOver(control(10), { received: 5, elapsedMs: 750 })).toBe(1450);
  });
  it('is all of the control call at most, and that for a call without messages', () => {
    expect(msUntilOver(control(10), { received: 5, elapsedMs: 60_000 })).toBe(1700);
    expect(msUntilOver(control(10), { received: 0, elapsedMs: 10 })).toBe(1700);
  });
});

describe('seedOf', () => {
  it('gives each scenario numbers of its own, the same for the same seed', () => {
    const names = ['reload-mid-call', 'reload-twice', 'tab-crash'];
    const seeds = [1, 2].flatMap((seed) => names.map((name) => seedOf(seed, name)));
    expect(new Set(seeds).size).toBe(6);
    expect(seedOf(1, 'tab-crash')).toBe(seedOf(1, 'tab-crash'));
  });
});
