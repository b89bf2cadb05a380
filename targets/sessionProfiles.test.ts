import { describe, expect, it } from 'vitest';
import { ANSWER_WITHIN_MS, PING_EVERY_MS } from './profiles/pings.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame, isResponseFrame } from './testing/rawStream.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('stateless', () => {
  it('gives no session id, answers any POST, and has no GET and no DELETE', async () => {
    const client = await RawClient.connect((await withTarget('stateless')).url);
    expect(client.sessionId).toBeUndefined();
    const stream = await client.call('countdown', { ticks: 2, intervalMs: 1 });
    const frames = await stream.readAll();
    expect(frames).toHaveLength(5);
    expect(frames.every(({ id }) => id === undefined)).toBe(true);
    expect((await client.get()).status).toBe(405);
    expect((await client.delete()).status).toBe(405);
  });
});

describe('recreate', () => {
  it('accepts initialize on a known session and keeps the session, the running call and its events', async () => {
    const target = await withTarget('recreate');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 6, intervalMs: 30 });
    const seen = await stream.readUntil(isMessageFrame);
    await leaveNoticed(target, stream);
    const again = await client.initialize();
    expect(again.status).toBe(200);
    expect(again.headers.get('mcp-session-id')).toBe(client.sessionId);
    await again.text();
    const rest = await (await client.get(seen.at(-1)?.id)).readAll();
    expect([...seen, ...rest].filter(isMessageFrame)).toHaveLength(13);
    expect(rest.at(-1)?.message).toHaveProperty('result');
    expect(target.stats()).toMatchObject({ calls: { countdown: 1 }, initializes: 2 });
    expect(await client.request('ping')).toHaveProperty('result');
  });

  it('moves the standalone stream to the new transport', async () => {
    const target = await withTarget('recreate');
    const client = await RawClient.connect(target.url);
    const before = await client.get();
    const position = await before.next();
    await (await client.initialize()).text();
    expect(await before.next()).toBeUndefined();
    const after = await client.get(position?.id);
    await target.control('announce');
    expect((await after.next())?.message).toMatchObject({ method: 'notifications/message' });
    after.leave();
  });
});

describe('fresh-404', () => {
  it.each(['POST', 'GET'] as const)(
    'answers %s on an unknown session with 404 and a session that works',
    async (method) => {
      const target = await withTarget('fresh-404');
      const client = new RawClient(target.url);
      client.sessionId = 'gone';
      const refused = method === 'POST' ? await client.post(PING) : (await client.get()).response;
      expect(refused.status).toBe(404);
      const fresh = refused.headers.get('mcp-session-id');
      expect(fresh).toBeTruthy();
      expect(fresh).not.toBe('gone');
      client.sessionId = fresh ?? '';
      expect(await client.request('tools/list')).toHaveProperty('result');
      expect((await client.get()).status).toBe(200);
    },
  );
});

describe('fresh-404, when the new session cannot be started', () => {
  const failing = { storeEvent: () => Promise.reject(new Error('full')), replayEventsAfter: async () => '' };
  it.each([
    [
      'the event store cannot be made',
      () => {
        throw new Error('no store');
      },
    ],
    ['the event store takes nothing', () => failing],
  ])('answers 500 with a JSON-RPC error and leaves nothing behind: %s', async (_why, createEventStore) => {
    const target = await withTarget('fresh-404', { overrides: { createEventStore } });
    const client = new RawClient(target.url);
    client.sessionId = 'gone';
    for (const refused of [await client.post(PING), (await client.get()).response]) {
      expect(refused.status).toBe(500);
      expect(refused.headers.get('mcp-session-id')).toBeNull();
      expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32603 }, id: null });
    }
    const { sessions } = target.stats();
    expect(sessions.map(({ ended, openStreams }) => [ended, openStreams])).toEqual([
      ['not started', 0],
      ['not started', 0],
    ]);
  });
});

describe('bad-400', () => {
  it('says 400 about an unknown session, whatever is asked', async () => {
    const target = await withTarget('bad-400');
    const client = await RawClient.connect(target.url);
    await target.control('expire-sessions');
    for (const response of [await client.post(PING), (await client.get()).response, await client.delete()]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining('No valid session') },
      });
    }
  });
});

describe('pings', () => {
  it(
    'ends a session whose ping stays unanswered, and lets the others live',
    { timeout: 15_000 },
    async () => {
      const target = await withTarget('pings');
      const [awake, asleep] = [await RawClient.connect(target.url), await RawClient.connect(target.url)];
      const startedAt = Date.now();
      const whyEnded = ({ sessionId }: RawClient) =>
        target.stats().sessions.find(({ id }) => id === sessionId)?.ended;
      const stream = await awake.get();
      while (whyEnded(asleep) === undefined) {
        const ping = (await stream.readUntil(isMessageFrame)).at(-1);
        expect(ping?.message).toMatchObject({ method: 'ping' });
        await awake.post({ jsonrpc: '2.0', id: ping?.message?.['id'], result: {} });
      }
      expect(whyEnded(asleep)).toBe('ping unanswered');
      expect(Date.now() - startedAt).toBeGreaterThan(PING_EVERY_MS + ANSWER_WITHIN_MS - 100);
      expect((await asleep.post(PING)).status).toBe(404);
      expect(await awake.request('ping')).toHaveProperty('result');
      stream.leave();
    },
  );
});

describe('forgets', () => {
  it('takes initialize and notifications/initialized, then answers 404, in each session anew', async () => {
    const target = await withTarget('forgets');
    for (let session = 1; session <= 3; session += 1) {
      const client = new RawClient(target.url);
      const begun = await client.initialize();
      expect(begun.status).toBe(200);
      await begun.text();
      client.sessionId = begun.headers.get('mcp-session-id') ?? '';
      const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
      expect((await client.post(note)).status).toBe(202);
      for (const refused of [await client.post(PING), (await client.get()).response, await client.delete()]) {
        expect(refused.status).toBe(404);
      }
      expect(target.stats().initializes).toBe(session);
    }
    expect(target.stats().sessions.map(({ ended }) => ended)).toEqual([
      'forgotten',
      'forgotten',
      'forgotten',
    ]);
  });
});

describe('silent-json', () => {
  it('sends nothing before the answer, not even a head, and has no standalone stream', async () => {
    const client = await RawClient.connect((await withTarget('silent-json')).url);
    expect((await client.get()).status).toBe(405);
    let hasHead = false;
    const call = client.call('countdown', { ticks: 10, intervalMs: 30 }).finally(() => (hasHead = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(hasHead).toBe(false);
    const frames = await (await call).readAll();
    expect(frames).toHaveLength(1);
    expect(frames[0]?.message).toMatchObject({ result: { content: [{ text: '1 2 3 4 5 6 7 8 9 10' }] } });
  });
});

describe('buffers', () => {
  it('sends all messages of a call at its end, the first event ID too', async () => {
    const target = await withTarget('buffers');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 10, intervalMs: 30 }, { id: 'slow' });
    expect(stream.status).toBe(200);
    const first = await stream.next();
    expect(first).toMatchObject({ data: '' });
    expect(target.stats().sessions[0]?.streams['slow']).toMatchObject({ sent: 21, settled: true });
    expect((await stream.readAll()).filter(isMessageFrame)).toHaveLength(21);
  });
});

describe('every profile', () => {
  it('answers a crash with a JSON-RPC error', async () => {
    for (const profile of ['no-replay', 'json', 'stateless', 'buffers', 'silent-json', 'late-result']) {
      const client = await RawClient.connect((await withTarget(profile)).url);
      const frames = await (await client.call('crash', { afterMs: 1 })).readAll();
      expect(frames.filter(isResponseFrame)).toMatchObject([{ message: { error: { code: -32050 } } }]);
    }
  });
});
