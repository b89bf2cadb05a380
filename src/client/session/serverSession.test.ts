import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../targets/testing/eventually.ts';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { systemClock } from '../../base/clock.ts';
import { testLog } from '../../recorder/testing/testLog.ts';
import { LogReader } from '../../storage/logReader.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { TestClient } from '../testing/testClient.ts';

afterEach(() => TestClient.closeAll());

const LONG = { ticks: 100, intervalMs: 1000 };

describe('a new session', () => {
  it('is stored before it is said to be connected, and its lists are read', async () => {
    const { url } = await withTarget('resumable');
    const page = new TestClient(url);
    const storedWhen: string[] = [];
    page.log.appended.on(({ entries }) => {
      for (const entry of entries)
        if (entry.kind === 'session' || entry.kind === 'state')
          storedWhen.push(`${entry.kind === 'state' ? entry.state.name : 'session'} ${page.sessions.length}`);
    });
    expect(await page.connect()).toMatchObject({ name: 'connected', how: 'fresh' });
    expect(storedWhen).toEqual(['connecting 0', 'session 1', 'connected 1']);
    expect(page.sessions[0]).toEqual(page.client.session.stored);
    await eventually('the lists are stored', () => page.lists.length > 0);
    expect(page.lists.at(-1)?.tools.map(({ name }) => name)).toContain('countdown');
  });

  it('that fails is explained, and leaves no session', async () => {
    const target = await withTarget('resumable');
    await target.close();
    const page = new TestClient(target.url);
    expect(await page.connect()).toMatchObject({ name: 'failed', reason: { code: 'unreachable' } });
    expect(page.states).toEqual(['connecting', 'failed']);
    expect([page.sessions, page.client.session.stored]).toEqual([[], undefined]);
  });

  it('that the user leaves before the server has answered is ended, and never shown as connected', async () => {
    const target = await withTarget('resumable');
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const page = new TestClient(target.url, {
      revision: 'session',
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (typeof init?.body === 'string' && init.body.includes('"initialize"')) await held;
        return response;
      },
    });
    const connecting = page.connect();
    await eventually('the server has begun a session', () => target.stats().initializes === 1);
    await page.client.session.leave();
    answer();
    await connecting;
    expect(page.states.at(-1)).toBe('disconnected');
    expect(page.states).not.toContain('connected');
    expect(page.client.session.stored).toBeUndefined();
  });
});

describe('a page that was loaded again', () => {
  it('resumes the session without a handshake, and gets the rest of its call', async () => {
    const target = await withTarget('resumable');
    const before = new TestClient(target.url);
    await before.connect();
    const id = await before.client.call('countdown', { ticks: 6, intervalMs: 100 });
    await before.until(() => (before.call(id)?.progress?.progress ?? 0) >= 2);
    const page = await before.reload();
    expect(await page.resume()).toMatchObject({ name: 'connected', how: 'resumed' });
    await page.untilEnded(id);
    expect(page.call(id)).toMatchObject({ name: 'settled', received: 13, progress: { progress: 6 } });
    expect(target.stats()).toMatchObject({ initializes: 1, calls: { countdown: 1 } });
  });

  it('without a stored session begins one', async () => {
    const { url } = await withTarget('resumable');
    expect(await new TestClient(url).resume()).toMatchObject({ name: 'connected', how: 'fresh' });
  });

  it('whose server has forgotten the session begins another, and says what that has cost', async () => {
    const target = await withTarget('resumable');
    const before = new TestClient(target.url);
    await before.connect();
    const id = await before.client.call('countdown', LONG);
    await before.until(() => before.call(id)?.progress !== undefined);
    await target.control('expire-sessions');
    const page = await before.reload();
    await page.resume();
    await page.until(() => page.log.state.connection.name === 'connected');
    expect(page.log.state.connection).toMatchObject({ how: 'restarted' });
    expect(page.call(id)).toMatchObject({ name: 'lost', reason: { so: 'result-unreachable' } });
    expect(target.stats().initializes).toBe(2);
    expect(page.sessions.at(-1)?.sessionId).not.toBe(before.sessions.at(-1)?.sessionId);
  });

  it('over HTTP+SSE has no session to resume: the call is given up, and another session begun', async () => {
    const { url } = await withTarget('sse');
    const before = new TestClient(url);
    await before.connect();
    const id = await before.client.call('countdown', LONG);
    await before.until(() => before.call(id)?.name === 'open');
    const page = await before.reload();
    await page.resume();
    await page.until(() => page.log.state.connection.name === 'connected');
    expect(page.call(id)).toMatchObject({ name: 'lost' });
  });

  it('cancels the call of a server of 2026-07-28, which ended with its page', async () => {
    const { url } = await withTarget('modern');
    const before = new TestClient(url);
    await before.connect();
    const id = await before.client.call('countdown', LONG);
    await before.until(() => before.call(id)?.progress !== undefined);
    const page = await before.reload();
    expect(await page.resume()).toMatchObject({ name: 'connected', how: 'resumed' });
    expect(page.call(id)).toMatchObject({ name: 'cancelled', reason: { code: 'reloaded', how: 'call' } });
  });
});

describe('leaving', () => {
  it('tells the server, gives up what is open, and removes the session before it resolves', async () => {
    const target = await withTarget('resumable');
    const order: string[] = [];
    const store = new MemoryStore();
    const log = testLog(systemClock, { store });
    await log.write({ segments: [] });
    const page = new TestClient(target.url, {
      log,
      saveSession: async (session) => {
        const { state } = await new LogReader(store, 's').restore();
        const how = state.calls[0]?.name === 'lost' ? ', with the end of the call stored' : '';
        order.push(`${session ? 'save' : 'remove'}${how}`);
      },
    });
    await page.connect();
    const id = await page.client.call('countdown', LONG);
    await page.client.session.leave();
    // The other way round, a page that dies in between would begin a new session with calls that never end.
    expect(order.at(-1)).toBe('remove, with the end of the call stored');
    expect(target.stats().sessions).toMatchObject([{ deletes: 1 }]);
    expect(page.call(id)).toMatchObject({ name: 'lost', reason: { code: 'user-disconnected', how: 'call' } });
    expect(page.states.at(-1)).toBe('disconnected');
  });

  it('by closing the page tells nobody', async () => {
    const target = await withTarget('resumable');
    const page = new TestClient(target.url);
    await page.connect();
    await page.client.close();
    expect(page.states.at(-1)).toBe('connected');
    expect(target.stats().sessions).toMatchObject([{ deletes: 0 }]);
    expect(page.sessions).toHaveLength(1);
  });
});

it('a server that restarts under an open page is met again, and its open call is lost', async () => {
  const target = await withTarget('resumable');
  const page = new TestClient(target.url);
  await page.connect();
  const id = await page.client.call('countdown', LONG);
  await page.until(() => page.call(id)?.progress !== undefined);
  await target.control('restart');
  await page.untilEnded(id);
  expect(page.call(id)?.name).toBe('lost');
  await page.until(() => page.log.state.connection.name === 'connected');
  expect(page.log.state.connection).toMatchObject({ how: 'restarted' });
  expect(target.stats().calls['countdown']).toBe(1);
});

describe('beside its calls', () => {
  const countSent = (page: TestClient, method: string) =>
    page.log.tail.filter((entry) => entry.kind === 'sent' && entry.method === method).length;

  it('a session reads its lists again after a reload, because the server may have changed', async () => {
    const { url } = await withTarget('resumable');
    const before = new TestClient(url);
    await before.connect();
    const read = countSent(before, 'tools/list');
    const page = await before.reload();
    await page.resume();
    await page.until(() => countSent(page, 'tools/list') > read);
    expect(page.log.state.connection).toMatchObject({ how: 'resumed' });
  });

  it('a new session sends what the user has chosen again, and one that is resumed does not', async () => {
    const target = await withTarget('resumable');
    const before = new TestClient(target.url);
    await before.connect();
    await before.client.primitives.perform({ does: 'level', level: 'debug' });
    expect(countSent(before, 'logging/setLevel')).toBe(1);
    const preferences = before.preferences.at(-1);
    const page = await before.reload(preferences && { preferences });
    await page.resume();
    await page.client.primitives.perform({ does: 'ping' });
    expect(countSent(page, 'logging/setLevel')).toBe(1);
    await target.control('restart');
    await page.until(() => countSent(page, 'logging/setLevel') === 2);
  });

  it('leaving closes the questions that were open, and says why', async () => {
    const { url } = await withTarget('resumable');
    const page = new TestClient(url);
    await page.connect();
    await page.client.call('ask', { question: 'Who?' });
    await page.until(() => page.log.state.questions.size > 0);
    await page.client.session.leave();
    expect(page.log.state.questions.size).toBe(0);
    expect(page.log.state.questions.closed).toMatchObject([
      { reason: { code: 'user-disconnected', how: 'question' } },
    ]);
  });

  it('a page that comes back drops what it has received before, where a server sends all of it again', async () => {
    const { url } = await withTarget('over-replay');
    const before = new TestClient(url);
    await before.connect();
    const id = await before.client.call('countdown', { ticks: 6, intervalMs: 100 });
    await before.until(() => (before.call(id)?.progress?.progress ?? 0) >= 3);
    const page = await before.reload();
    await page.resume();
    await page.untilEnded(id);
    const ticks = page.log.tail.filter(
      (entry) =>
        entry.kind === 'received' && entry.method === 'notifications/progress' && entry.callId === id,
    );
    expect(new Set(ticks.map((entry) => ('raw' in entry ? entry.raw : ''))).size).toBe(ticks.length);
  });
});
