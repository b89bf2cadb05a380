import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { ConnectionBudget, type Rank, type Tenant } from './connectionBudget.ts';

/** A clock that stands still until it is moved. */
class ManualClock implements Clock {
  #now = 0;
  #timers: { at: number; fn: () => void }[] = [];
  now = () => this.#now;
  random = () => 0;

  after(delayMs: number, fn: () => void): () => void {
    const timer = { at: this.#now + delayMs, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#now = due.at;
      due.fn();
      await Promise.resolve();
    }
    this.#now = end;
  }
}

function setup() {
  const clock = new ManualClock();
  const budget = new ConnectionBudget(clock);
  const inside: string[] = [];
  const enter = (
    key: string,
    { yields = true, rank = 'stream' }: { yields?: boolean; rank?: Rank } = {},
  ): void => {
    const tenant: Tenant = {
      key,
      rank,
      canYield: () => yields,
      yield: () => {
        inside.splice(inside.indexOf(key), 1);
        // A stream that was let go comes back for the rest.
        enter(key, { yields, rank: rank === 'post' ? 'stream' : rank });
      },
    };
    void budget.enter(tenant).then(() => inside.push(key));
  };
  return { clock, budget, inside, enter };
}

const LISTENS = { yields: false, rank: 'standalone' } as const;

describe('ConnectionBudget', () => {
  it('lets four standalone streams in and makes the fifth wait', async () => {
    const { clock, inside, enter } = setup();
    for (const key of ['a', 'b', 'c', 'd', 'e']) enter(key, LISTENS);
    await clock.advance(10_000);
    expect(inside).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives a place that was left to the next', async () => {
    const { clock, budget, inside, enter } = setup();
    for (const key of ['a', 'b', 'c', 'd', 'e']) enter(key, LISTENS);
    await clock.advance(0);
    budget.leave('b');
    await clock.advance(0);
    expect(inside).toContain('e');
  });

  it.each(['post', 'stream'] as const)('lets a call in (%s) beside four standalone streams', async (rank) => {
    const { clock, inside, enter } = setup();
    for (const key of ['a', 'b', 'c', 'd', 'e']) enter(key, LISTENS);
    enter('call', { rank });
    await clock.advance(0);
    expect(inside).toEqual(['a', 'b', 'c', 'd', 'call']);
  });

  it('lets calls take turns beside four standalone streams, and never a sixth connection', async () => {
    const { clock, inside, enter } = setup();
    for (const key of ['a', 'b', 'c', 'd']) enter(key, LISTENS);
    for (const key of ['x', 'y', 'z']) enter(key);
    const been = new Set<string>();
    for (let i = 0; i < 20; i += 1) {
      await clock.advance(100);
      expect(inside.length).toBeLessThanOrEqual(5);
      for (const key of inside) been.add(key);
    }
    expect([...been].sort()).toEqual(['a', 'b', 'c', 'd', 'x', 'y', 'z']);
  });

  it('does not disturb a call for a standalone stream that would not get its place', async () => {
    const { clock, inside, enter } = setup();
    for (const key of ['a', 'b', 'c', 'd', 'e']) enter(key, LISTENS);
    enter('call', { rank: 'post' });
    for (let i = 0; i < 20; i += 1) {
      await clock.advance(100);
      expect(inside).toContain('call');
    }
  });

  it('takes turns, so that everybody has been inside', async () => {
    const { clock, inside, enter } = setup();
    const keys = Array.from({ length: 12 }, (_, i) => `s${i}`);
    for (const key of keys) enter(key);
    const been = new Set<string>();
    for (let i = 0; i < 40; i += 1) {
      await clock.advance(100);
      expect(inside.length).toBeLessThanOrEqual(4);
      for (const key of inside) been.add(key);
    }
    expect([...been].sort()).toEqual(keys.sort());
  });

  it('does not make a person wait for the end of a turn', async () => {
    const { clock, inside, enter } = setup();
    for (const key of ['a', 'b', 'c', 'd']) enter(key);
    await clock.advance(1);
    enter('call', { rank: 'post' });
    await clock.advance(1);
    expect(inside).toContain('call');
  });

  it('never takes a place away from one that could not come back', async () => {
    const { clock, inside, enter } = setup();
    enter('listening', { yields: false });
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) enter(key);
    for (let i = 0; i < 30; i += 1) {
      await clock.advance(100);
      expect(inside).toContain('listening');
    }
  });
});
