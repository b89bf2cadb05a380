import { describe, expect, it, onTestFinished } from 'vitest';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { asText } from '../../base/asText.ts';
import { createPageLocks } from '../public/pageLocks.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { testEnvironment } from '../testing/testEnvironment.ts';
import type { ServerEnvironment } from './serverEnvironment.ts';
import { ServerHandle } from './serverHandle.ts';

/** Reads the newest entries at once, and any others when it's released. */
class SlowStore extends MemoryStore {
  release: (() => void) | undefined;
  responded: (() => void) | undefined;
  /** A server has responded while this reads. */
  isAnswered: Promise<void> | undefined;
  #held: Promise<void> | undefined;
  #isTail = false;

  holdAfterTail(): void {
    this.#isTail = true;
    this.#held = new Promise((resolve) => (this.release = resolve));
    this.isAnswered = new Promise((resolve) => (this.responded = resolve));
  }

  override async getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    const readsEntries = keys.some((key) => key.includes('/segment/'));
    if (readsEntries && !this.#isTail) await this.#held;
    if (readsEntries) this.#isTail = false;
    return super.getMany(keys);
  }
}

async function open(env: ServerEnvironment, url: string, name = 's'): Promise<ServerHandle> {
  const handle = await ServerHandle.open(env, { id: name, name, url });
  onTestFinished(() => handle.close());
  return handle;
}

const connect = (handle: ServerHandle) =>
  handle.execute({ name: 'connect', url: handle.url, settings: handle.settings });

async function until(handle: ServerHandle, holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise<void>((resolve) => {
      const stop = handle.log.appended.on(() => {
        stop();
        resolve();
      });
    });
  }
}

async function ended(handle: ServerHandle, callId: unknown) {
  const find = () => handle.log.state.calls.get(asText(callId));
  await until(handle, () => find()?.settledAt !== undefined);
  return find();
}

describe('the only tab of a server', () => {
  it('owns the connection, and has everything again in the next page', async () => {
    const { url } = await withTarget('resumable');
    const env = testEnvironment();
    const before = await open(env, url);
    await before.ready;
    expect(before.role).toBe('leads');
    expect(await connect(before)).toMatchObject({ name: 'connected' });
    const id = await before.execute({ name: 'call', tool: 'countdown', args: { ticks: 1 }, options: {} });
    await ended(before, id);
    await before.close();

    const after = await open(env, url);
    // Before the server has responded: the log and the lists are those of the last page.
    expect(after.log.state.calls.get(asText(id))?.name).toBe('settled');
    expect(after.lists.tools.length).toBeGreaterThan(0);
    await after.ready;
    expect(after.state).toMatchObject({ name: 'connected', how: 'resumed' });
    expect(after.session?.sessionId).toBe(before.session?.sessionId);
  });

  it('resumes its streams before it has read which events it has, and takes none of them twice', async () => {
    // It sends everything again that it ever sent.
    const { url } = await withTarget('over-replay');
    const store = new SlowStore();
    const requested: string[] = [];
    const env = testEnvironment({
      store,
      fetch(input, init) {
        const lastEventId = new Headers(init?.headers).get('last-event-id');
        if (lastEventId !== null) requested.push(lastEventId);
        return fetch(input, init).finally(() => store.responded?.());
      },
    });
    const before = await open(env, url);
    await before.ready;
    await connect(before);
    const args = { ticks: 6, intervalMs: 40 };
    const id = asText(await before.execute({ name: 'call', tool: 'countdown', args, options: {} }));
    await until(before, () => (before.log.state.calls.get(id)?.received ?? 0) >= 2);
    await before.close();

    store.holdAfterTail();
    const after = await open(env, url);
    const received = (load: number) =>
      after.log.tail.filter((entry) => entry.kind === 'received' && entry.load === load);
    await store.isAnswered;
    expect(requested.length).toBeGreaterThan(0);
    expect(received(2)).toEqual([]);
    store.release?.();
    expect(await ended(after, id)).toMatchObject({ name: 'settled' });
    const eventIds = after.log.tail.flatMap((entry) =>
      entry.kind === 'received' && entry.callId === id ? [entry.eventId] : [],
    );
    expect(eventIds.length).toBeGreaterThan(args.ticks);
    expect(new Set(eventIds).size).toBe(eventIds.length);
  });

  it('that was never connected tries nothing by itself', async () => {
    const handle = await open(
      testEnvironment({ fetch: () => Promise.reject(new Error('fetched')) }),
      'http://a.example/',
    );
    await handle.ready;
    expect(handle.state).toEqual({ name: 'idle' });
    expect(await handle.hasSecrets()).toBe(false);
  });
});

describe('two tabs of a server', () => {
  async function two(url: string) {
    const env = testEnvironment({ locks: createPageLocks(), scope: url });
    const one = await open(env, url);
    await one.ready;
    await connect(one);
    const other = await open(env, url);
    await other.ready;
    return { env, one, other };
  }

  it('have one connection: the other one follows, and its commands are carried out by the owner', async () => {
    const target = await withTarget('resumable');
    const { one, other } = await two(target.url);
    expect([one.role, other.role]).toEqual(['leads', 'follows']);
    const id = await other.execute({ name: 'call', tool: 'countdown', args: { ticks: 1 }, options: {} });
    expect(await ended(other, id)).toMatchObject({ name: 'settled' });
    expect(one.log.state.calls.has(asText(id))).toBe(true);
    expect(other.session?.sessionId).toBe(one.session?.sessionId);
    expect(target.stats().initializes).toBe(1);
    expect([one.isWritten, other.isWritten]).toEqual([true, false]);
  });

  it('change hands when the owner closes, and the session goes on', async () => {
    const target = await withTarget('resumable');
    const { one, other } = await two(target.url);
    await one.close();
    // Until then the state is the one that the owner has left.
    await until(other, () => other.state.name === 'connected' && other.state.how === 'resumed');
    const id = await other.execute({ name: 'call', tool: 'countdown', args: { ticks: 1 }, options: {} });
    expect(await ended(other, id)).toMatchObject({ name: 'settled' });
    expect(other.role).toBe('leads');
    expect(other.log.tail.some((entry) => entry.kind === 'load' && entry.reason === 'took over')).toBe(true);
    expect(target.stats().initializes).toBe(1);
  });

  it('are both told when the server is removed, and nothing of it is left', async () => {
    const { url } = await withTarget('resumable');
    const { env, one, other } = await two(url);
    const told = new Promise((resolve) => other.forgotten.on(resolve));
    await one.forget({ keepsLogin: false });
    await told;
    const again = await open(env, url);
    expect(again.log.state.nextSeq).toBe(1);
  });
});

it('a call without a connection is refused, and leaves nothing in the log', async () => {
  const { url } = await withTarget('resumable');
  const handle = await open(testEnvironment(), url);
  await handle.ready;
  await expect(handle.execute({ name: 'call', tool: 't', args: {}, options: {} })).rejects.toMatchObject({
    code: 'not-connected',
  });
  expect(handle.log.state.calls.size).toBe(0);
});
