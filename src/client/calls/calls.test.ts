import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { HIDDEN } from '../../base/hidden.ts';
import { Redactor } from '../../wire/redact.ts';
import { Log } from '../../log/log.ts';
import { SecretInput } from '../exchange/secretInput.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { Calls } from './calls.ts';
import { nextStep } from './callTimeouts.ts';
import type { Connection } from '../link/connection.ts';
import { SessionDriver } from '../protocol/sessionDriver.ts';

const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

describe('a call', () => {
  it('is stored before it is sent', async () => {
    const order: string[] = [];
    const log = new Log('s', clock);
    const calls = new Calls({
      log,
      clock,
      flushed: async () => {
        order.push(`storing ${[...log.state.calls.values()][0]?.name ?? 'nothing'}`);
        await Promise.resolve();
        order.push('stored');
      },
      link: { connection: undefined },
      lists: { isRepeatable: () => false },
      tasks: { cancel: () => Promise.resolve() },
      secrets: new SecretInput(new Redactor(), () => undefined),
    });
    const connection: Pick<Connection, 'callTool' | 'driver'> = {
      driver: new SessionDriver({}),
      callTool: () => {
        order.push('sent');
        return Promise.resolve();
      },
    };
    await calls.begin(connection, 'tool', {}, {});
    expect(order).toEqual(['storing sending', 'stored', 'sent']);
  });
});

describe('a call without an event ID, at a bridge', () => {
  const sent: unknown[] = [];
  const connection = {
    callTool: (call: unknown) => {
      sent.push(call);
      return Promise.resolve();
    },
  } as Connection;
  const inNextPage = (args: object) => {
    const log = new Log('s', clock);
    const change = { name: 'sending', tool: 't', args, timeoutMs: 1, repeatable: false } as const;
    log.append({ body: { kind: 'call', callId: 'c1', change } });
    const secrets = new SecretInput(new Redactor(), () => undefined);
    const calls = new Calls({
      ...{ log, clock, secrets },
      link: { connection },
      lists: { isRepeatable: () => false },
      tasks: { cancel: () => Promise.resolve() },
      flushed: () => Promise.resolve(),
    });
    return { log, calls };
  };

  it('is sent again as the same request, and is not called unsent if the session is gone', () => {
    const { log, calls } = inNextPage({ a: 1 });
    expect(calls.repeat('c1')).toBe(true);
    expect(sent).toEqual([{ callId: 'c1', wireId: 'c1', method: undefined, tool: 't', args: { a: 1 } }]);
    const gone = {
      name: 'session-gone',
      reason: { code: 'session-ended', how: 'forgotten', status: 404 },
    } as const;
    calls.fail('c1', gone, { kind: 'status', status: 404, body: '' });
    expect(log.state.calls.get('c1')).toMatchObject({
      name: 'lost',
      reason: { code: 'session-ended', so: 'may-have-run' },
    });
  });

  it('is not sent again without a secret that went with its page', () => {
    expect(inNextPage({ key: HIDDEN }).calls.repeat('c1')).toBe(false);
  });
});

describe('a call that takes long', () => {
  /** Time goes on when it is told to. */
  function fakeTime() {
    let now = 0;
    const waiting: { at: number; fn: () => void }[] = [];
    const fake: Clock = {
      now: () => now,
      after: (delayMs, fn) => {
        const one = { at: now + delayMs, fn };
        waiting.push(one);
        return () => void waiting.splice(waiting.indexOf(one), 1);
      },
      random: () => 0,
    };
    const goTo = (at: number) => {
      for (;;) {
        const next = waiting.filter((one) => one.at <= at).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        waiting.splice(waiting.indexOf(next), 1);
        now = next.at;
        next.fn();
      }
      now = at;
    };
    return { fake, goTo };
  }

  async function begin(options: { timeoutMs?: number; backgroundMs?: number }) {
    const { fake, goTo } = fakeTime();
    const log = new Log('s', fake);
    const calls = new Calls({
      log,
      clock: fake,
      flushed: () => Promise.resolve(),
      link: { connection: undefined },
      lists: { isRepeatable: () => false },
      tasks: { cancel: () => Promise.resolve() },
      secrets: new SecretInput(new Redactor(), () => undefined),
    });
    const id = await calls.begin(
      { driver: new SessionDriver({}), callTool: () => Promise.resolve() },
      'tool',
      {},
      options,
    );
    return { calls, goTo, log, call: () => log.state.calls.get(id) };
  }

  it('goes on in the background after two minutes, and is cancelled after five more', async () => {
    const { goTo, call } = await begin({});
    goTo(119_999);
    expect(call()).toMatchObject({ name: 'sending' });
    expect(call()?.backgroundSince).toBeUndefined();
    goTo(120_000);
    expect(call()).toMatchObject({ name: 'sending', backgroundSince: 120_000, backgroundMs: 300_000 });
    goTo(419_999);
    expect(call()?.name).toBe('sending');
    goTo(420_000);
    expect(call()).toMatchObject({
      name: 'cancelled',
      reason: { code: 'timed-out', timeoutMs: 120_000, backgroundMs: 300_000 },
    });
  });

  it('ends at its timeout where no background was asked for', async () => {
    const { goTo, call } = await begin({ timeoutMs: 4000 });
    goTo(4000);
    expect(call()).toMatchObject({
      name: 'cancelled',
      reason: { code: 'timed-out', timeoutMs: 4000 },
    });
  });

  it.each([
    [20, '20 milliseconds'],
    [1000, '1 second'],
    [1500, '1.5 seconds'],
  ])('names a timeout of %i ms as it is', async (timeoutMs, words) => {
    const { goTo, call } = await begin({ timeoutMs });
    goTo(timeoutMs);
    expect(reasonText(call()?.reason)).toBe(`Timed out after ${words}. The call was cancelled.`);
  });

  it('may go on for half an hour at most', async () => {
    const { call } = await begin({ timeoutMs: 1, backgroundMs: 1e9 });
    expect(call()?.backgroundMs).toBe(1_800_000);
  });

  it('counts on in the next page, and leaves it time for what it has missed', async () => {
    const { calls, goTo, log, call } = await begin({ timeoutMs: 1000, backgroundMs: 2000 });
    const id = call()?.id ?? '';
    goTo(2000);
    calls.close();
    goTo(10_000);
    const { fake, goTo: goOn } = fakeTime();
    goOn(10_000);
    const next = new Calls({
      log,
      clock: fake,
      flushed: () => Promise.resolve(),
      link: { connection: undefined },
      lists: { isRepeatable: () => false },
      tasks: { cancel: () => Promise.resolve() },
      secrets: new SecretInput(new Redactor(), () => undefined),
    });
    next.watch(id, { atLeastMs: 3000 });
    goOn(12_999);
    expect(call()?.name).toBe('sending');
    goOn(13_000);
    expect(call()?.name).toBe('cancelled');
  });

  it('knows its next step', () => {
    const call = { startedAt: 10, timeoutMs: 5 };
    expect(nextStep(call)).toMatchObject({ name: 'cancel', at: 15 });
    expect(nextStep({ ...call, backgroundMs: 7 })).toEqual({ name: 'background', at: 15 });
    expect(nextStep({ ...call, backgroundMs: 7, backgroundSince: 20 })).toMatchObject({
      name: 'cancel',
      at: 27,
    });
  });
});
