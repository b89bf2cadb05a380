import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@redis/client';
import { bridgeStatusUrl } from '../src/base/bridgeContract.ts';
import { startRedis, whyNoRedis, type RedisServer } from '../targets/stores/redisServer.ts';
import { RawClient } from '../targets/testing/rawClient.ts';
import { eventually } from '../targets/testing/eventually.ts';
import { isMessageFrame, isResponseFrame, type RawFrame } from '../targets/testing/rawStream.ts';
import { stdioServer, withBridge } from './testing/withBridge.ts';

const reason = whyNoRedis();
if (reason !== undefined) console.warn(`Skipped the bridges with Redis: ${reason}.`);

const progressIn = (frames: readonly RawFrame[]) =>
  frames.flatMap(({ message }) => (message?.['params'] as { progress?: number } | undefined)?.progress ?? []);

describe.skipIf(reason !== undefined)('two bridges with one Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  async function twoBridges() {
    const token = 'a-token-of-both-bridges';
    const options = { store: redis.url, token, servers: [stdioServer()] };
    const [one, two] = [await withBridge(options), await withBridge(options)];
    const client = await RawClient.connect(one.url);
    const other = new RawClient(two.url);
    other.sessionId = client.sessionId;
    return { one, two, client, other };
  }

  it('resume at one a call that began at the other, live and with its result', async () => {
    const { client, other } = await twoBridges();
    const stream = await client.call('countdown', { ticks: 30, intervalMs: 20 });
    const seen = await stream.readUntil(isMessageFrame);
    stream.leave();
    seen.push(...(await (await other.get(seen.at(-1)?.id)).readAll()));
    expect(progressIn(seen)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect(seen.filter(isResponseFrame)).toHaveLength(1);
  });

  it('pass requests to the one that has the process, with answers and questions', async () => {
    const { other, one } = await twoBridges();
    const frames = await (await other.call('countdown', { ticks: 3, intervalMs: 5 })).readAll();
    expect(progressIn(frames)).toEqual([1, 2, 3]);
    const status = await fetch(bridgeStatusUrl(other.url), { headers: other.headers });
    expect(JSON.stringify(await status.json())).toContain('"running"');
    expect((await other.delete()).status).toBe(200);
    await eventually('the session ends', () => one.notices.some(({ name }) => name === 'ended'));
  });

  it('end the sessions of one that has ended, and leave nothing in Redis', async () => {
    const { one, other } = await twoBridges();
    await one.close();
    expect((await other.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
    const client = createClient({ url: redis.url });
    await client.connect();
    const id = other.sessionId ?? 'none';
    await eventually('the keys are gone', async () => (await client.keys(`*${id}*`)).length === 0);
    await client.close();
  });
});
