import { describe, expect, it } from 'vitest';
import { Log } from '../log/log.ts';
import { NO_LISTS } from './lists.ts';
import { Restarts, type RestartsOptions } from './restarts.ts';

const COST = {
  lost: 0,
  expired: 0,
  what: 'Server restarted',
  why: 'HTTP 404.',
  reason: 'session-ended',
} as const;

/** A server that forgets each session after `livesMs`, on a clock that jumps from timer to timer. */
function world(livesMs: number, changes: Partial<RestartsOptions> = {}) {
  let now = 0;
  const timers: { at: number; run: () => void }[] = [];
  const begun: number[] = [];
  const forgetful: string[] = [];
  const clock = {
    now: () => now,
    random: () => 0.5,
    after: (delayMs: number, run: () => void) => {
      const timer = { at: now + delayMs, run };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  };
  const restarts = new Restarts({
    log: new Log('s', clock),
    clock,
    lists: () => NO_LISTS,
    refreshLists: () => Promise.resolve(),
    begin: () => {
      begun.push(now);
      clock.after(livesMs, () => void restarts.run(COST));
      return Promise.resolve();
    },
    awaitLogin: () => Promise.resolve(false),
    lastVerdict: () => undefined,
    closeConnection: () => Promise.resolve(),
    onTrouble: () => undefined,
    onFailed: () => Promise.resolve(),
    responds: () => Promise.resolve(false),
    onForgetful: (why) => forgetful.push(why),
    onDone: () => Promise.resolve(),
    ...changes,
  });
  const runUntil = async (endMs: number) => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = timers.sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > endMs) return;
      timers.shift();
      now = next.at;
      next.run();
    }
  };
  return { restarts, begun, forgetful, runUntil };
}

describe('a server that forgets its sessions', () => {
  it('right after the handshake gets a few, ever more slowly, and then the reason is told', async () => {
    const { restarts, begun, forgetful, runUntil } = world(10);
    void restarts.run(COST);
    await runUntil(60_000);
    expect(begun).toHaveLength(5);
    const pauses = begun.slice(1).map((at, i) => at - (begun[i] ?? 0));
    expect(pauses).toEqual([260, 510, 1010, 2010]);
    expect(forgetful).toEqual(['HTTP 404.']);
  });

  it('before its lists are read counts each session once, whichever list says so', async () => {
    const { restarts, begun, forgetful, runUntil } = world(Infinity, {
      refreshLists: () => Promise.reject(new Error('HTTP 404')),
      lastVerdict: () => ({ name: 'session-gone', why: 'HTTP 404.', reason: 'session-ended' }),
      // The answer to the next list comes while the connection is being closed.
      closeConnection: () => {
        if (!restarts.isBeginning) void restarts.run(COST);
        return Promise.resolve();
      },
    });
    void restarts.run(COST);
    await runUntil(60_000);
    expect(begun).toHaveLength(5);
    expect(forgetful).toEqual(['HTTP 404.']);
  });

  it('every minute gets a new one at once, for ever', async () => {
    const { restarts, begun, forgetful, runUntil } = world(60_000);
    void restarts.run(COST);
    await runUntil(600_000);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 60_000));
    expect(forgetful).toEqual([]);
  });
});
