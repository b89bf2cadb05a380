import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../targets/testing/eventually.ts';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { systemClock } from '../../base/clock.ts';
import { FallbackStore } from '../../storage/fallbackStore.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { ServerHandle } from '../servers/serverHandle.ts';
import { testEnvironment } from '../testing/testEnvironment.ts';
import type { ClientEvents as Events } from './clientTypes.ts';
import type { ConnectionState, Question } from './index.ts';
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

describe('a page that was loaded again', () => {
  it('tells what a reload has recovered, and of which calls', async () => {
    const target = await withTarget('resumable');
    const { url } = target;
    const disk = new MemoryStore();
    const before = await open(url, disk);
    await before.connect();
    await (
      await before.call('countdown', { ticks: 1 }, { key: 'done' })
    ).result;
    const call = await before.call('countdown', { ticks: 12, intervalMs: 100 }, { key: 'k' });
    await new Promise<void>((resolve) => {
      call.subscribe(() => (call.getSnapshot().progress?.progress ?? 0) >= 2 && resolve());
    });
    await before.close();
    const sent = () => target.stats().sessions[0]?.streams[call.id]?.sent ?? 0;
    const left = sent();
    await eventually('the page misses something', () => sent() > left + 1);
    const page = await open(url, disk);
    const recovered = new Promise<Events['recovered']>((resolve) => page.on('recovered', resolve));
    const { messages, calls } = await recovered;
    expect(messages).toBeGreaterThan(0);
    expect(calls.map(({ key }) => key)).toEqual(['k']);
    expect(await page.find('k')?.result).toMatchObject({ ok: true });
  });
});

describe('what the server asks', () => {
  it('is told once, and an elicitation that is declined is answered with that', async () => {
    const { url } = await withTarget('resumable');
    const client = await open(url);
    const asked: string[] = [];
    const first = new Promise<Question>((resolve) =>
      client.on('question', (question) => {
        asked.push(question.method);
        resolve(question);
      }),
    );
    const call = await client.call('ask', { question: 'Who?' });
    await client.decline(await first);
    // A decline is an answer: the tool goes on with it.
    expect(await call.result).toMatchObject({ ok: true, result: { content: [{ text: 'decline' }] } });
    expect(asked).toEqual(['elicitation/create']);
  });

  it('is rejected with the message, where only an error can say no', async () => {
    const { url } = await withTarget('resumable');
    const client = await open(url);
    const first = new Promise<Question>((resolve) => client.on('question', resolve));
    const call = await client.call('sample', { prompt: 'Hi' });
    await client.decline(await first, 'Not today.');
    await call.result;
    const sent = client.handle.log.tail.flatMap((entry) => (entry.kind === 'sent' ? [entry.raw] : []));
    expect(sent.join()).toContain('Not today.');
  });
});

describe('the tools', () => {
  it('are told when they were read', async () => {
    const { url } = await withTarget('resumable');
    const client = await open(url);
    const tools = new Promise<Events['tools']>((resolve) => client.on('tools', resolve));
    await client.connect();
    expect((await tools).map(({ name }) => name)).toContain('countdown');
  });
});

it('a client that has left connects again, and one that is connected does not begin another session', async () => {
  const target = await withTarget('resumable');
  const client = await open(target.url);
  await client.connect();
  await client.connect();
  expect(target.stats().initializes).toBe(1);
  await client.disconnect();
  expect(client.state).toMatchObject({ name: 'disconnected' });
  expect(await client.connect()).toMatchObject({ name: 'connected' });
  expect(target.stats().initializes).toBe(2);
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
