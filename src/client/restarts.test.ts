import { describe, expect, it, test } from 'vitest';
import type { ConnectionState, ReturnCost } from '../log/connectionState.ts';
import type { CallChange } from '../log/entry.ts';
import { Log } from '../log/log.ts';
import { NO_LISTS } from './lists.ts';
import type { Reason } from '../log/reason.ts';
import { Restarts, type RestartsOptions } from './restarts.ts';

const GONE = { code: 'session-ended', how: 'forgotten', status: 404 } as const;

/** A server that forgets each session after `livesMs`, on a clock that jumps from timer to timer. */
function world(livesMs: number, changes: Partial<RestartsOptions> = {}) {
  let now = 0;
  const timers: { at: number; run: () => void }[] = [];
  const begun: number[] = [];
  const forgetful: Reason[] = [];
  const clock = {
    now: () => now,
    random: () => 0.5,
    after: (delayMs: number, run: () => void) => {
      const timer = { at: now + delayMs, run };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  };
  const log = new Log('s', clock);
  const restarts = new Restarts({
    log,
    clock,
    lists: () => NO_LISTS,
    refreshLists: () => Promise.resolve(),
    begin: () => {
      begun.push(now);
      clock.after(livesMs, () => void restarts.run(GONE));
      return Promise.resolve();
    },
    awaitLogin: () => Promise.resolve(false),
    lastVerdict: () => undefined,
    closeConnection: () => Promise.resolve(),
    onTrouble: () => undefined,
    onFailed: () => Promise.resolve(),
    responds: () => Promise.resolve(false),
    onForgetful: (reason) => forgetful.push(reason),
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
  return { restarts, log, begun, forgetful, runUntil };
}

describe('a server that forgets its sessions', () => {
  it('right after the handshake gets a few, ever more slowly, and then the reason is told', async () => {
    const { restarts, begun, forgetful, runUntil } = world(10);
    void restarts.run(GONE);
    await runUntil(60_000);
    expect(begun).toHaveLength(5);
    const pauses = begun.slice(1).map((at, i) => at - (begun[i] ?? 0));
    expect(pauses).toEqual([260, 510, 1010, 2010]);
    expect(forgetful).toEqual([GONE]);
  });

  it('before its lists are read counts each session once, whichever list says so', async () => {
    const { restarts, begun, forgetful, runUntil } = world(Infinity, {
      refreshLists: () => Promise.reject(new Error('HTTP 404')),
      lastVerdict: () => ({ name: 'session-gone', reason: GONE }),
      // The answer to the next list comes while the connection is being closed.
      closeConnection: () => {
        if (!restarts.isBeginning) void restarts.run(GONE);
        return Promise.resolve();
      },
    });
    void restarts.run(GONE);
    await runUntil(60_000);
    expect(begun).toHaveLength(5);
    expect(forgetful).toEqual([GONE]);
  });

  it('every minute gets a new one at once, for ever', async () => {
    const { restarts, begun, forgetful, runUntil } = world(60_000);
    void restarts.run(GONE);
    await runUntil(600_000);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 60_000));
    expect(forgetful).toEqual([]);
  });
});

test('the cost of a restart counts what the page before gave up, in the same return', async () => {
  const costs: ReturnCost[] = [];
  const { restarts, log } = world(Infinity, {
    onDone: (_, cost) => {
      costs.push(cost);
      return Promise.resolve();
    },
  });
  const call = (callId: string, change: CallChange) => log.append({ body: { kind: 'call', callId, change } });
  const state = (change: ConnectionState) => log.append({ body: { kind: 'state', state: change } });
  const sending = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
  const lost = { name: 'lost', reason: { ...GONE, so: 'result-unreachable' } } as const;
  for (const id of ['earlier', 'no-replay', 'with-session', 'late']) call(id, sending);
  call('earlier', lost);
  state({ name: 'connected', how: 'restarted' });
  call('no-replay', { name: 'lost', reason: { code: 'no-replay' } });
  call('with-session', lost);
  call('late', lost);
  const expired = { name: 'expired', reason: { ...GONE, so: 'answer-not-awaited' } } as const;
  log.append({ body: { kind: 'question', requestId: 'q', change: expired } });
  state({ name: 'reconnecting', attempt: 1, retryAt: 0, reason: GONE });
  // Here the page is loaded again.
  log.append({ body: { kind: 'load', reason: 'opened' } });
  state({ name: 'reconnecting', attempt: 1, retryAt: 0, reason: { code: 'page-loaded' } });
  log.append({
    body: { kind: 'received', stream: 'standalone', callId: 'late', raw: '{"id":"late","result":{}}' },
  });
  await restarts.run(GONE);
  expect(costs).toEqual([{ callsLost: 1, questionsExpired: 1, hasLists: true }]);
});
