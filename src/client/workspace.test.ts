import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { MemoryStore } from '../storage/memoryStore.ts';
import type { Records, Store } from '../storage/store.ts';
import { ConnectionBudget } from '../wire/connectionBudget.ts';
import { Workspace } from './workspace.ts';

const A = 'http://a.example/mcp';
const B = 'http://b.example/mcp';

const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

/** What a page sees of a disk until it dies: from then on it writes nothing, and hears of nothing. */
class MortalStore implements Store {
  readonly disk = new MemoryStore();
  writesLeft = Infinity;
  readonly died: Promise<void>;
  #die = (): void => undefined;

  constructor() {
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  get = (key: string) => this.disk.get(key);
  getMany = (keys: readonly string[]) => this.disk.getMany(keys);
  keys = () => this.disk.keys();

  write(set: Records, remove: readonly string[] = []): Promise<void> {
    if (this.writesLeft > 0) {
      this.writesLeft -= 1;
      return this.disk.write(set, remove);
    }
    this.#die();
    return new Promise(() => undefined);
  }
}

function keepTexts() {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (key: string) => texts.get(key),
    write: (key: string, text: string | undefined) =>
      text === undefined ? void texts.delete(key) : void texts.set(key, text),
  };
}

async function open(store: Store, tabTexts = keepTexts()): Promise<Workspace> {
  let selected: string | undefined;
  const workspace = await Workspace.open(
    {
      store,
      clock,
      tabTexts,
      fetch: () => Promise.reject(new TypeError('offline')),
      locks: undefined,
      budgetFor: () => new ConnectionBudget(clock),
      version: '0',
      pageOrigin: 'http://localhost',
      isOnline: () => true,
      redirectUrl: 'http://localhost/',
      findWorker: () => Promise.resolve(undefined),
      prepare: () => Promise.resolve(),
    },
    { read: () => selected, write: (id) => (selected = id), holdsBack: () => false },
  );
  await workspace.ready();
  return workspace;
}

const only = (workspace: Workspace) => {
  const [tab] = workspace.tabs;
  if (!tab || workspace.tabs.length > 1) throw new Error(`There are ${workspace.tabs.length} servers.`);
  return tab;
};

/** Without what it does to the network. */
const connect = (workspace: Workspace, ...args: Parameters<Workspace['connect']>) =>
  workspace.connect(...args).catch(() => undefined);

describe('credentials', () => {
  const changes: readonly (readonly [string, (workspace: Workspace, id: string) => Promise<unknown>])[] = [
    ['is edited', (workspace, id) => workspace.edit(id, B, { name: 'mine' })],
    ['is edited, with new ones', (workspace, id) => workspace.edit(id, B, { name: 'mine' }, { bearer: 'b' })],
    ['is connected to', (workspace) => connect(workspace, B, { name: 'mine' })],
    [
      'is connected to, for one tab',
      (workspace) => connect(workspace, B, { name: 'mine', keepSecrets: 'tab' }),
    ],
  ];
  it.each(changes)(
    'a page that dies while an address %s leaves no credentials of another origin',
    async (_, change) => {
      for (let writes = 0; writes < 6; writes += 1) {
        const store = new MortalStore();
        const before = await open(store);
        const id = await before.add(A, { name: 'mine', bearer: 'a', headers: { 'x-key': 'a' } });
        store.writesLeft = writes;
        await Promise.race([change(before, id), store.died]);
        const tab = only(await open(store.disk));
        const credentials = await tab.credentials();
        if (tab.url === A) expect(credentials).toEqual({ bearer: 'a', headers: { 'x-key': 'a' } });
        else expect([{}, { bearer: 'b' }]).toContainEqual(credentials);
      }
    },
  );

  it('stay where the address changes within its origin, and go where it leaves it', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const id = await workspace.add(A, { name: 'mine', bearer: 'a' });
    await workspace.edit(id, `${A}?x=1`, { name: 'renamed', timeoutMs: 5 });
    expect(await only(workspace).credentials()).toEqual({ bearer: 'a' });
    await workspace.edit(id, B, { name: 'renamed' });
    await workspace.edit(id, A, { name: 'renamed' });
    expect(await only(workspace).credentials()).toEqual({});
    expect((await store.keys()).filter((key) => key.startsWith('vault/secret/'))).toEqual([]);
  });

  it('of one tab are in no other, and move between the places', async () => {
    const store = new MemoryStore();
    const mine = keepTexts();
    const workspace = await open(store, mine);
    const id = await workspace.add(A, { name: 'mine', bearer: 'very-secret', keepSecrets: 'tab' });
    expect(JSON.stringify([...mine.texts])).not.toContain('very-secret');
    expect((await store.keys()).filter((key) => key.startsWith('vault/secret/'))).toEqual([]);
    expect(await only(await open(store, mine)).credentials()).toEqual({ bearer: 'very-secret' });
    const other = await open(store);
    expect(await only(other).credentials()).toEqual({});
    // A tab that has none of them can change the rest without taking them away.
    await other.edit(id, A, { name: 'mine', timeoutMs: 5, keepSecrets: 'tab' });
    await workspace.edit(id, A, { name: 'mine', keepSecrets: 'browser' });
    expect(mine.texts.size).toBe(0);
    expect(await only(await open(store)).credentials()).toEqual({ bearer: 'very-secret' });
  });
});

describe('names', () => {
  it('are unique on the list, and a server of the same name is the same server', async () => {
    const workspace = await open(new MemoryStore());
    await workspace.add(A, { name: 'x' });
    const second = await workspace.add(B, { name: 'x' });
    expect(workspace.tabs.map(({ name }) => name)).toEqual(['x', 'x 2']);
    await connect(workspace, B, { name: 'x' });
    expect(workspace.tabs.map(({ url }) => url)).toEqual([B, B]);
    await expect(workspace.edit(second, B, { name: 'x' })).rejects.toThrow('Another server is named “x”.');
  });

  it('of servers that are hidden are free, and one that is taken back gets another', async () => {
    const workspace = await open(new MemoryStore());
    const first = await workspace.add(A, { name: 'x' });
    await workspace.hide(first);
    await workspace.add(B, { name: 'x' });
    await workspace.restore(first);
    expect(workspace.tabs.map(({ name, url }) => [name, url])).toEqual([
      ['x 2', A],
      ['x', B],
    ]);
  });

  it('that two tabs connect to at once are one server', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    await Promise.all([connect(workspace, A), connect(workspace, A)]);
    expect(workspace.tabs).toHaveLength(1);
  });
});

describe('a session', () => {
  it('is not taken up at another URL', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const id = await workspace.add(A, { name: 'x' });
    const session = { protocolVersion: '2025-11-25', handshake: {}, sessionId: 's' };
    await store.write([[`servers/${id}/session`, { url: A, session }]]);
    expect(only(await open(store)).session).toEqual(session);
    await workspace.edit(id, `${A}?x=1`, { name: 'x' });
    expect(only(await open(store)).session).toBeUndefined();
  });
});
