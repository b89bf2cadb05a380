import { describe, expect, it, onTestFinished } from 'vitest';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { systemClock } from '../../base/clock.ts';
import { FallbackStore } from '../../storage/fallbackStore.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { ServerHandle } from '../servers/serverHandle.ts';
import { testEnvironment } from '../testing/testEnvironment.ts';
import type { ConnectionState } from './index.ts';
import { LiveClient } from './liveClient.ts';

async function open(url: string, disk = new MemoryStore()): Promise<LiveClient> {
  const store = new FallbackStore(disk);
  const env = testEnvironment({ store });
  const client = await LiveClient.open({
    url,
    name: 's',
    clock: systemClock,
    store,
    keepCalls: 50,
    hasLogin: false,
    open: () => ServerHandle.open(env, { id: 's', name: 's', url }),
  });
  onTestFinished(() => client.close());
  return client;
}

class FullDisk extends MemoryStore {
  override write(): Promise<void> {
    return Promise.reject(new DOMException('full', 'QuotaExceededError'));
  }
}

const LONG = { ticks: 100, intervalMs: 1000 };

describe('a client', () => {
  it('tells each event once, in the order in which it happened', async () => {
    const { url } = await withTarget('resumable');
    const client = await open(url);
    const states: ConnectionState['name'][] = [client.state.name];
    const calls: string[] = [];
    client.on('state', ({ name }) => states.push(name));
    client.on('call', ({ state }) => calls.push(state.name));
    await client.connect();
    await (
      await client.call('countdown', { ticks: 1 })
    ).result;
    expect(states).toEqual(['connecting', 'connected']);
    expect(calls).toEqual(['sending', 'open', 'settled']);
  });

  it('has the same objects for what has not changed, and one snapshot until the next frame', async () => {
    const { url } = await withTarget('resumable');
    const client = await open(url);
    await client.connect();
    const call = await client.call('countdown', { ticks: 1 }, { key: 'k' });
    await call.result;
    expect(client.find('k')).toBe(call);
    expect(client.calls({ open: false })).toEqual([call]);
    expect(client.calls({ open: true })).toEqual([]);
    expect(client.calls({ tool: 'other' })).toEqual([]);
    expect(client.getSnapshot()).toBe(client.getSnapshot());
  });

  it('says that nothing will survive a reload where the disk is full, also if it was full at the start', async () => {
    const { url } = await withTarget('resumable');
    const client = await open(url, new FullDisk());
    expect(await client.connect()).toMatchObject({ name: 'connected' });
    await new Promise<void>((resolve) => {
      const look = () => client.getSnapshot().storage.name === 'memory-only' && resolve();
      client.subscribe(look);
      look();
    });
    expect(client.getSnapshot().storage).toMatchObject({ name: 'memory-only', reason: 'full' });
  });
});

describe('a call', () => {
  it('whose signal was aborted before is not made, and one that is aborted later is cancelled', async () => {
    const target = await withTarget('resumable');
    const client = await open(target.url);
    await expect(client.call('countdown', LONG, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(target.stats().calls['countdown']).toBeUndefined();
    const abort = new AbortController();
    const call = await client.call('countdown', LONG, { signal: abort.signal });
    abort.abort();
    expect(await call.result).toMatchObject({ name: 'cancelled', reason: 'app' });
  });

  it('has arguments that are plain data: a copy is sent, and an array is refused', async () => {
    const { url } = await withTarget('resumable');
    const client = await open(url);
    const args = { ticks: 1, drop: undefined };
    const call = await client.call('countdown', args);
    expect(call.args).toEqual({ ticks: 1 });
    await expect(client.call('countdown', [])).rejects.toBeInstanceOf(TypeError);
  });
});

describe('removing what is stored', () => {
  it('leaves a client that can connect again, and knows nothing', async () => {
    const target = await withTarget('resumable');
    const client = await open(target.url);
    const call = await client.call('countdown', LONG, { key: 'k' });
    const before = client.handle;
    await client.disconnect({ forget: true });
    expect(client.state).toMatchObject({ name: 'disconnected' });
    expect(await client.connect()).toMatchObject({ name: 'connected', how: 'fresh' });
    expect(client.handle).not.toBe(before);
    expect(client.find('k')).toBeUndefined();
    expect(await (await client.call('countdown', { ticks: 1 })).result).toMatchObject({ ok: true });
    expect(await call.result).toMatchObject({ name: 'lost' });
  });
});

it('a client that is closed rejects what waits for it, and can be closed twice', async () => {
  const { url } = await withTarget('resumable');
  const client = await open(url);
  const call = await client.call('countdown', LONG);
  await client.close();
  await client[Symbol.asyncDispose]();
  await expect(call.result).rejects.toMatchObject({ code: 'closed' });
  for (const use of [client.connect(), client.disconnect(), client.call('countdown'), client.tools()]) {
    await expect(use).rejects.toMatchObject({ code: 'closed' });
  }
  expect(client.state).toEqual({ name: 'closed', reason: 'closed' });
});
