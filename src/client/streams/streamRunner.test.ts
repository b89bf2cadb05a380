import { describe, expect, it } from 'vitest';
import { STANDALONE } from '../../log/entry/entry.ts';
import { StreamConnection } from '../exchange/streamConnection.ts';
import { begin, restore } from './streamMachine.ts';
import { PACE } from './streamPolicy.ts';
import { StreamRecords } from './streamRecords.ts';
import { StreamRunner } from './streamRunner.ts';
import { TestStreams } from './testing/testStreams.ts';

const CALL = 'call-1';

class Page extends TestStreams {
  readonly notSent: string[] = [];
  readonly runner = new StreamRunner(this, new StreamRecords(this.log), ({ key }, why) =>
    this.notSent.push(`${key}: ${why}`),
  );

  /** A stream that is resumed from an event ID. */
  resume(key = CALL, lastEventId = 'e1'): void {
    const role = key === STANDALONE ? 'standalone' : 'call';
    if (role === 'call') this.begins(key);
    const callId = role === 'call' ? key : undefined;
    const step = restore({ id: key, role, lastEventId, wasAnswered: true }, this.runner.policy(callId));
    this.runner.add(step, { callId });
  }

  state(key = CALL): string | undefined {
    return this.runner.find(key)?.stream.name;
  }
}

describe('a resumed stream', () => {
  it('waits for a place, and is then asked for with its event ID', async () => {
    const page = new Page();
    page.resume();
    expect([page.state(), page.gets]).toEqual(['queued', []]);
    await page.clock.to(0);
    expect([page.state(), page.gets]).toEqual(['opening', [CALL]]);
    const { connection } = page.runner.find(CALL) ?? {};
    expect(connection).toMatchObject({ lastEventId: 'e1', fillsGap: true });
  });

  it('that never got to the wire is told once, and not after the wire has told of it', async () => {
    const page = new Page();
    page.openStream = () => Promise.reject(new Error('no transport'));
    page.resume();
    await page.clock.to(0);
    expect(page.notSent).toEqual([`${CALL}: no transport`]);
    page.openStream = (key) => {
      const { connection } = page.runner.find(key) ?? {};
      if (connection) connection.isSilent = false;
      return Promise.reject(new Error('told already'));
    };
    page.resume('call-2');
    await page.clock.to(0);
    expect(page.notSent).toHaveLength(1);
  });

  it('is tried again after a network error, with a reason and the time of the next try', async () => {
    const page = new Page();
    page.resume();
    await page.clock.to(0);
    page.runner.tell(CALL, { kind: 'network-error', detail: 'reset' });
    expect(page.state()).toBe('waiting');
    const retryAt = PACE.calm.firstMs;
    expect(page.events).toEqual([
      {
        kind: 'trouble',
        attempt: 1,
        retryAt,
        reason: { code: 'no-answer', how: 'connection', text: 'reset' },
      },
    ]);
    await page.clock.to(retryAt - 1);
    expect(page.gets).toHaveLength(1);
    await page.clock.to(retryAt);
    expect(page.gets).toHaveLength(2);
  });

  it('is reported healthy when it is open', async () => {
    const page = new Page();
    page.resume();
    await page.clock.to(0);
    page.runner.tell(CALL, { kind: 'opened' });
    expect(page.events.at(-1)).toEqual({ kind: 'healthy' });
  });

  it('of the same key takes the place of the one before, whose connection is let go', async () => {
    const page = new Page();
    page.resume();
    await page.clock.to(0);
    let isReleased = false;
    const { connection } = page.runner.find(CALL) ?? {};
    if (connection) connection.handle = { release: () => (isReleased = true) };
    page.resume(CALL, 'e2');
    expect(isReleased).toBe(true);
    await page.clock.to(0);
    expect(page.runner.find(CALL)?.connection?.lastEventId).toBe('e2');
  });
});

describe('a session that is in doubt', () => {
  async function refused(page: Page): Promise<void> {
    page.resume();
    await page.clock.to(0);
    page.runner.tell(CALL, { kind: 'refused', status: 400 });
  }

  it('is checked, and the stream is tried again while it is alive', async () => {
    const page = new Page();
    await refused(page);
    await page.clock.to(0);
    expect([page.checks, page.state()]).toEqual([1, 'waiting']);
  });

  it('that is gone is told with its reason', async () => {
    const page = new Page();
    page.health = { name: 'gone', reason: { code: 'session-gone' } };
    await refused(page);
    await page.clock.to(0);
    expect(page.events.at(-1)).toEqual({ kind: 'session-gone', reason: { code: 'session-gone' } });
  });

  it('is of no interest any more when the streams were closed meanwhile', async () => {
    const page = new Page();
    page.health = { name: 'gone', reason: { code: 'session-gone' } };
    await refused(page);
    page.runner.close();
    const before = page.events.length;
    await page.clock.to(0);
    expect(page.events).toHaveLength(before);
  });
});

describe('the budget of connections', () => {
  it('gets its place back with the end of a stream', async () => {
    const page = new Page();
    page.budget.places = 1;
    page.resume();
    await page.clock.to(0);
    page.runner.tell(CALL, { kind: 'opened' });
    page.runner.tell(CALL, { kind: 'response' });
    page.runner.add(begin(STANDALONE, 'standalone', page.runner.policy(undefined)), { callId: undefined });
    await page.clock.to(0);
    expect(page.state(STANDALONE)).toBe('opening');
  });

  it('takes turns between calls that can be resumed, and says that one was released', async () => {
    const page = new Page();
    page.budget.places = 1;
    page.namesEventIds(CALL, 'e1');
    page.resume();
    await page.clock.to(0);
    page.runner.tell(CALL, { kind: 'opened' });
    page.resume('call-2');
    await page.clock.to(1000);
    expect(page.gets).toContain('call-2');
    expect(page.ends()).toEqual([`released ${CALL}`]);
  });
});

describe('the policy of a stream', () => {
  it('knows whether this server sends event IDs, once there was a message', () => {
    const page = new Page();
    page.begins(CALL);
    expect(page.runner.policy(CALL).sendsEventIds).toBeUndefined();
    const raw = JSON.stringify({ method: 'notifications/progress', params: { progressToken: CALL } });
    page.log.append({
      body: { kind: 'received', stream: CALL, callId: CALL, raw, method: 'notifications/progress' },
      message: JSON.parse(raw) as object as never,
    });
    expect(page.runner.policy(CALL).sendsEventIds).toBe(false);
    page.namesEventIds(CALL, 'e1');
    expect(page.runner.policy(CALL).sendsEventIds).toBe(true);
  });

  it('says that nothing resumes once the server has refused to, for every stream', async () => {
    const page = new Page();
    page.resume();
    await page.clock.to(0);
    expect(page.runner.policy(CALL).canResume).toBe(true);
    for (let tries = 0; tries < PACE.refusalsBeforeGivingUp; tries += 1) {
      page.runner.tell(CALL, { kind: 'refused', status: 400 });
      // The session is checked, and then waited for.
      await page.clock.to(page.clock.time);
      await page.clock.to(page.clock.time + 100_000);
    }
    expect(page.log.state.calls.get(CALL)).toMatchObject({
      name: 'lost',
      reason: { code: 'resume-refused', status: 400 },
    });
    expect(page.runner.policy('another').canResume).toBe(false);
  });
});

it('a lost stream may still be answered', async () => {
  const page = new Page();
  page.resume();
  await page.clock.to(0);
  page.runner.tell(CALL, { kind: 'opened' });
  page.runner.tell(CALL, { kind: 'oversized', limitBytes: 1 });
  expect(page.state()).toBe('ended');
  expect(page.runner.keysOf(CALL)).toEqual([CALL]);
  page.runner.tell(CALL, { kind: 'response' });
  expect(page.ends()).toEqual([`answered ${CALL}`]);
});

it('a stream that is answered, cancelled or left is forgotten', async () => {
  for (const kind of ['response', 'cancelled', 'leaving'] as const) {
    const page = new Page();
    page.resume();
    await page.clock.to(0);
    page.runner.tell(CALL, { kind });
    expect(page.runner.find(CALL)).toBeUndefined();
  }
});

it('the stream of a request that the SDK makes is opening at once, on the connection that it has', () => {
  const page = new Page();
  const connection = new StreamConnection('sdk-1', undefined, undefined);
  page.runner.adopt(connection);
  expect(page.state('sdk-1')).toBe('opening');
  expect(page.runner.isCurrent(connection)).toBe(true);
  page.runner.close();
  expect(page.runner.isCurrent(connection)).toBe(false);
});
