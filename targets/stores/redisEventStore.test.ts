import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { leaveNoticed, withTarget } from '../testing/withTarget.ts';
import { RawClient } from '../testing/rawClient.ts';
import { isMessageFrame } from '../testing/rawStream.ts';
import { eventStoreContract, note, type ContractLimits } from './eventStoreContract.ts';
import type { RedisCommands } from './redisEventLog.ts';
import { RedisEventStore } from './redisEventStore.ts';
import { startRedis, whyNoRedis, type RedisServer } from './redisServer.ts';

const reason = whyNoRedis();
if (reason !== undefined) console.warn(`Skipped the Redis event store: ${reason}.`);

describe.skipIf(reason !== undefined)('on a real redis-server', () => {
  let server: RedisServer;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    server = await startRedis();
    client = createClient({ url: server.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });
  const makeStore = (
    limits: ContractLimits & { maxAgeMs?: number; sessionId?: string; client?: RedisCommands } = {},
  ) => new RedisEventStore({ client, sessionId: crypto.randomUUID(), ...limits });

  eventStoreContract('redis', async (limits) => makeStore(limits));

  it('lets a second process replay what the first has stored', async () => {
    const sessionId = crypto.randomUUID();
    const [one, two] = [makeStore({ sessionId }), makeStore({ sessionId })];
    const first = await one.storeEvent('stream', note(1));
    const second = await two.storeEvent('stream', note(2));
    const replayed: string[] = [];
    await two.replayEventsAfter(first, { send: async (id) => void replayed.push(id) });
    expect(replayed).toEqual([second]);
  });

  it('pages through a long replay', async () => {
    const store = makeStore();
    const first = await store.storeEvent('stream', note(0));
    await Promise.all(Array.from({ length: 1203 }, (_, index) => store.storeEvent('stream', note(index))));
    let count = 0;
    await store.replayEventsAfter(first, { send: async () => void (count += 1) });
    expect(count).toBe(1203);
  });

  it('does not know an id whose stream has expired', async () => {
    const store = makeStore({ maxAgeMs: 20 });
    const id = await store.storeEvent('stream', note(0));
    await store.storeEvent('stream', note(1));
    await expect.poll(() => store.getStreamIdForEventId(id)).toBeUndefined();
  });

  it('leaves nothing behind when it is cleared', async () => {
    const sessionId = crypto.randomUUID();
    const store = makeStore({ sessionId });
    await store.storeEvent('a', note(0));
    await store.storeEvent('b', note(0));
    expect(await client.keys(`*${sessionId}*`)).toHaveLength(5);
    await store.clear();
    expect(await client.keys(`*${sessionId}*`)).toEqual([]);
  });

  it.each(['DELETE', 'the reaper', 'expire-sessions'])(
    'has no keys of a session that was ended by %s, although a call was running',
    async (how) => {
      const sessionId = crypto.randomUUID();
      const keys = () => client.keys(`*${sessionId}*`);
      let skippedMs = 0;
      const target = await withTarget('resumable', {
        overrides: {
          createEventStore: () => makeStore({ sessionId }),
          now: () => Date.now() + skippedMs,
          reapEveryMs: 10,
        },
      });
      const raw = await RawClient.connect(target.url);
      const stream = await raw.call('burst', { count: how === 'the reaper' ? 50 : 100_000 });
      await stream.readUntil(isMessageFrame);
      expect(await keys()).not.toEqual([]);
      if (how === 'DELETE') await raw.delete();
      if (how === 'expire-sessions') await target.control('expire-sessions');
      if (how === 'the reaper') {
        await stream.readAll();
        skippedMs = 11 * 60_000;
        await eventually('the reaper comes', () => target.stats().sessions[0]?.ended === 'idle');
        await eventually('the keys are gone', async () => (await keys()).length === 0, 1000);
      }
      expect(await keys()).toEqual([]);
      // What the tool was about to send when the session ended must not bring them back.
      await stream.readAll();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await keys()).toEqual([]);
    },
  );

  it('lets a repeated request join the stream of the first', async () => {
    const target = await withTarget('resumable', { overrides: { createEventStore: () => makeStore() } });
    const raw = await RawClient.connect(target.url);
    const call = () => raw.call('countdown', { ticks: 8, intervalMs: 10 }, { id: 'again' });
    const [first, second] = await Promise.all([call(), call()]);
    const frames = await first.readAll();
    expect(frames.filter(isMessageFrame)).toHaveLength(17);
    expect(await second.readAll()).toEqual(frames);
    expect(await (await call()).readAll()).toEqual(frames);
    expect(target.stats().calls).toEqual({ countdown: 1 });
  });

  it('lets a repeated request join one that was answered before its place was found', async () => {
    // The place of a stream is asked for when its first POST is answered, and Redis may be slower than the tool.
    const hGet: RedisCommands['hGet'] = async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return client.hGet(...args);
    };
    const slow: RedisCommands = {
      eval: (...args) => client.eval(...args),
      hKeys: (...args) => client.hKeys(...args),
      del: (...args) => client.del(...args),
      xRange: (...args) => client.xRange(...args),
      hGet,
    };
    const target = await withTarget('resumable', {
      overrides: { createEventStore: () => makeStore({ client: slow }) },
    });
    const raw = await RawClient.connect(target.url);
    const call = async (afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      return (await raw.call('fail', { afterMs: 0 }, { id: 'again' })).readAll();
    };
    const [first, second] = await Promise.all([call(0), call(25)]);
    expect(first.filter(isMessageFrame)).toHaveLength(1);
    expect(second).toEqual(first);
  });

  it('serves a resumable target: an interrupted call loses nothing, however slowly it is replayed', async () => {
    // Two ticks pass between what Redis answers and what becomes of it.
    const xRange: RedisCommands['xRange'] = async (...range) => {
      const page = await client.xRange(...range);
      await new Promise((resolve) => setTimeout(resolve, 40));
      return page;
    };
    const slow: RedisCommands = {
      eval: (...args) => client.eval(...args),
      hGet: (...args) => client.hGet(...args),
      hKeys: (...args) => client.hKeys(...args),
      del: (...args) => client.del(...args),
      xRange,
    };
    const target = await withTarget('resumable', {
      overrides: { createEventStore: () => makeStore({ client: slow }) },
    });
    const raw = await RawClient.connect(target.url);
    const stream = await raw.call('countdown', { ticks: 16, intervalMs: 20 });
    const seen = await stream.readUntil(isMessageFrame);
    await leaveNoticed(target, stream);
    const rest = await (await raw.get(seen.at(-1)?.id)).readAll();
    expect([...seen, ...rest].filter(isMessageFrame)).toHaveLength(33);
  });
});
