import { describe, expect, it } from 'vitest';
import { AuthStore } from '../../auth/authStore.ts';
import type { Clock } from '../../base/clock.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import type { Records, Store } from '../../storage/store.ts';
import { Vault } from '../../storage/vault.ts';
import { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { LocksLike } from '../../base/exclusive.ts';
import { ServerLogin } from '../servers/serverLogin.ts';
import type { ServerEnvironment } from '../servers/serverEnvironment.ts';
import { Workspace } from './workspace.ts';
import { openTestLog } from '../../recorder/testing/testLog.ts';

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

async function open(
  store: Store,
  tabTexts = keepTexts(),
  env: Partial<Pick<ServerEnvironment, 'fetch' | 'locks'>> = {},
): Promise<Workspace> {
  let selected: string | undefined;
  const workspace = await Workspace.open(
    {
      store,
      clock,
      openLog: openTestLog,
      tabTexts,
      fetch: () => Promise.reject(new TypeError('offline')),
      locks: undefined,
      budgetFor: () => new ConnectionBudget(clock),
      clientInfo: { name: 'test', version: '0' },
      makeLogin: (login, options) => new ServerLogin(login, options),
      pageOrigin: 'http://localhost',
      isOnline: () => true,
      redirectUrl: 'http://localhost/',
      findWorker: () => Promise.resolve(undefined),
      prepare: () => Promise.resolve(),
      ...env,
    },
    { read: () => selected, write: (id) => (selected = id), holdsBack: () => false },
  );
  await workspace.ready();
  return workspace;
}

const only = (workspace: Workspace) => {
  const [tab] = workspace.servers;
  if (!tab || workspace.servers.length > 1) throw new Error(`There are ${workspace.servers.length} servers.`);
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

describe('a login', () => {
  const TOKENS = { tokens: { access_token: 'token-of-login', token_type: 'Bearer' }, savedAt: 0 };
  const secretsOf = async (store: MemoryStore) =>
    (await store.keys()).filter((key) => /^vault\/secret\/oauth\/.*\/(tokens|client\/.*)$/.test(key));

  it('of one tab is in no other, and moves between the places', async () => {
    const store = new MemoryStore();
    const mine = keepTexts();
    const workspace = await open(store, mine);
    const id = await workspace.add(A, { name: 'mine' });
    const login = new AuthStore(new Vault(store), A);
    await login.saveTokens(TOKENS);
    await login.saveClient('https://as.example', { client_id: 'client' });
    await workspace.edit(id, A, { name: 'mine', keepSecrets: 'tab' });
    expect(await secretsOf(store)).toEqual([]);
    expect([...mine.texts.values()].join()).not.toContain('token-of-login');
    expect(await only(workspace).login.grant()).toBeDefined();
    expect(await only(await open(store, mine)).login.grant()).toBeDefined();
    const other = only(await open(store));
    expect(await other.login.grant()).toBeUndefined();
    // Nothing was typed, so no tab misses it: a login is asked for when the server wants one.
    expect(await other.execute({ name: 'connect', url: A, settings: other.settings })).not.toMatchObject({
      ask: 'credentials',
    });
    await workspace.edit(id, A, { name: 'mine', keepSecrets: 'browser' });
    expect(mine.texts.size).toBe(0);
    expect(await login.tokens()).toEqual(TOKENS);
    expect(await secretsOf(store)).toHaveLength(2);
  });

  it('that another server uses too stays in the browser for that one', async () => {
    const store = new MemoryStore();
    const workspace = await open(store, keepTexts());
    const id = await workspace.add(A, { name: 'mine' });
    await workspace.add(`${A}?api_key=key-of-url-42`, { name: 'other' });
    await new AuthStore(new Vault(store), A).saveTokens(TOKENS);
    await workspace.edit(id, A, { name: 'mine', keepSecrets: 'tab' });
    expect(await Promise.all(workspace.servers.map(({ login }) => login.grant()))).toEqual([
      expect.anything(),
      expect.anything(),
    ]);
  });
});

describe('a key in the server URL', () => {
  const KEY = 'key-of-url-42';
  const WITH_KEY = `${A}?a=b&api_key=${KEY}`;

  async function everything(store: MemoryStore): Promise<string> {
    const keys = await store.keys();
    return JSON.stringify([keys, await store.getMany(keys)]);
  }

  it('is sealed with the credentials, and there again for a later page', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const id = await workspace.add(WITH_KEY, { name: 'mine', bearer: 'a' });
    expect(only(workspace).url).toBe(WITH_KEY);
    await connect(workspace, WITH_KEY, { name: 'mine' });
    expect(await everything(store)).not.toContain(KEY);
    expect(await everything(store)).toContain(`${A}?a=b&api_key=‹redacted›`);
    const later = only(await open(store));
    expect(later.url).toBe(WITH_KEY);
    expect(await later.credentials()).toEqual({ bearer: 'a' });
    await workspace.remove(id);
    expect((await store.keys()).filter((key) => key.startsWith('vault/secret/'))).toEqual([]);
  });

  it('changes and goes with the URL; the credentials of the origin stay', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const id = await workspace.add(WITH_KEY, { name: 'mine', bearer: 'a' });
    const other = await open(store);
    for (const url of [`${A}?api_key=another-key-9`, `${A}/path?api_key=another-key-9`, A, WITH_KEY]) {
      await workspace.edit(id, url, { name: 'mine' });
      expect(only(workspace).url).toBe(url);
      expect(only(await open(store)).url).toBe(url);
      expect(await only(workspace).credentials()).toEqual({ bearer: 'a' });
      await expect.poll(() => only(other).url).toBe(url);
    }
    // As it is shown: its key is the one that is kept.
    await workspace.edit(id, `${A}?a=b&api_key=‹redacted›`, { name: 'mine' });
    expect(only(workspace).url).toBe(WITH_KEY);
    await workspace.edit(id, `${B}?a=b&api_key=‹redacted›`, { name: 'mine' });
    expect(only(workspace).url).not.toContain(KEY);
    expect((await store.keys()).filter((key) => key.startsWith('vault/secret/'))).toEqual([]);
  });

  it('that is kept for one tab is in no other, and the server isn’t asked without it', async () => {
    const store = new MemoryStore();
    const mine = keepTexts();
    const workspace = await open(store, mine);
    const id = await workspace.add(WITH_KEY, { name: 'mine', keepSecrets: 'tab' });
    expect(JSON.stringify([...mine.texts])).not.toContain(KEY);
    expect((await store.keys()).filter((key) => key.startsWith('vault/secret/'))).toEqual([]);
    expect(only(await open(store, mine)).url).toBe(WITH_KEY);
    const other = await open(store);
    expect(only(other).url).toBe(`${A}?a=b&api_key=‹redacted›`);
    await other.edit(id, only(other).url, { name: 'renamed', keepSecrets: 'tab' });
    expect(only(await open(store, mine)).url).toBe(WITH_KEY);
    await workspace.edit(id, WITH_KEY, { name: 'mine', keepSecrets: 'browser' });
    expect(mine.texts.size).toBe(0);
    expect(only(await open(store)).url).toBe(WITH_KEY);
  });

  it('that can’t be decrypted any more is asked for', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const id = await workspace.add(WITH_KEY, { name: 'mine' });
    const later = new MemoryStore();
    await later.write([['server-list', await store.get('server-list')]]);
    const broken = await open(later);
    expect(await broken.connectTo(id)).toEqual({
      name: 'authorizing',
      reason: { code: 'credentials-needed', how: 'not-decrypted' },
      ask: 'credentials',
    });
    await broken.edit(id, WITH_KEY, { name: 'mine' });
    expect(only(broken).url).toBe(WITH_KEY);
  });
});

describe('a server that is found at another path', () => {
  /** A website, with an MCP server at `/mcp` for those who have the key. */
  function website() {
    const asked: string[] = [];
    const fetch: ServerEnvironment['fetch'] = (url, init) => {
      const { pathname, search } = new URL(url);
      asked.push(`${init?.method ?? 'GET'} ${pathname}${search}`);
      if (pathname !== '/mcp' || search !== '?api_key=key-of-url-42') {
        return Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }));
      }
      const { id, method } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as {
        id?: string;
        method?: string;
      };
      const serverInfo = { name: 's', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
      const error = { code: -32601, message: 'no' };
      const answer = method === 'initialize' ? { result } : { error };
      const headers = { 'content-type': 'application/json' };
      return Promise.resolve(new Response(JSON.stringify({ jsonrpc: '2.0', id, ...answer }), { headers }));
    };
    return { asked, fetch };
  }

  it('keeps the key in its URL, and shows it nowhere', async () => {
    const store = new MemoryStore();
    const { asked, fetch } = website();
    const workspace = await open(store, keepTexts(), { fetch });
    const state = await workspace.connect('http://a.example/?api_key=key-of-url-42', { name: 'mine' });
    expect(state).toMatchObject({ name: 'connected' });
    expect(only(workspace).url).toBe('http://a.example/mcp?api_key=key-of-url-42');
    expect(asked.at(-1)).toContain('/mcp?api_key=key-of-url-42');
    await expect.poll(async () => only(await open(store)).url).toBe(only(workspace).url);
    const keys = await store.keys();
    expect(JSON.stringify(await store.getMany(keys))).not.toContain('key-of-url-42');
  });
});

describe('two tabs', () => {
  /** First come, first served, as the browser does it. */
  function sharedLocks(): LocksLike {
    const queues = new Map<string, Promise<void>>();
    return {
      request: (name, _, callback) => {
        const turn = (queues.get(name) ?? Promise.resolve()).then(callback);
        queues.set(
          name,
          turn.catch(() => undefined),
        );
        return turn;
      },
    };
  }

  /** A tab that is slow to read what it has written. */
  class SlowStore implements Store {
    readonly #disk: MemoryStore;
    constructor(disk: MemoryStore) {
      this.#disk = disk;
    }
    get = async (key: string) => (await this.#pause(), this.#disk.get(key));
    getMany = async (keys: readonly string[]) => (await this.#pause(), this.#disk.getMany(keys));
    keys = () => this.#disk.keys();
    write = (set: Records, remove?: readonly string[]) => this.#disk.write(set, remove);
    #pause = () => new Promise((resolve) => setTimeout(resolve, 30));
  }

  it('know of a new server, and the one that added it leads', async () => {
    const disk = new MemoryStore();
    const locks = sharedLocks();
    const background = await open(disk, keepTexts(), { locks });
    const adder = await open(new SlowStore(disk), keepTexts(), { locks });
    await adder.add(A, { name: 'mine' });
    await expect.poll(() => background.servers.map(({ role }) => role)).toEqual(['follows']);
    expect(only(adder).role).toBe('leads');
  });
});

describe('names', () => {
  it('are unique on the list, and a server of the same name is the same server', async () => {
    const workspace = await open(new MemoryStore());
    await workspace.add(A, { name: 'x' });
    const second = await workspace.add(B, { name: 'x' });
    expect(workspace.servers.map(({ name }) => name)).toEqual(['x', 'x 2']);
    await connect(workspace, B, { name: 'x' });
    expect(workspace.servers.map(({ url }) => url)).toEqual([B, B]);
    await expect(workspace.edit(second, B, { name: 'x' })).rejects.toThrow('Another server is named “x”.');
  });

  it('of servers that are hidden are free, and one that is taken back gets another', async () => {
    const workspace = await open(new MemoryStore());
    const first = await workspace.add(A, { name: 'x' });
    await workspace.hide(first);
    await workspace.add(B, { name: 'x' });
    await workspace.restore(first);
    expect(workspace.servers.map(({ name, url }) => [name, url])).toEqual([
      ['x 2', A],
      ['x', B],
    ]);
  });

  it('that two tabs connect to at once are one server', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    await Promise.all([connect(workspace, A), connect(workspace, A)]);
    expect(workspace.servers).toHaveLength(1);
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

describe('the workspace log', () => {
  const changesOf = (workspace: Workspace) =>
    workspace.log.entries.map(({ server, change: { name } }) => `${server} ${name}`);

  it('has what was done with the list, and a later page reads it', async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const heard: string[] = [];
    workspace.log.appended.on((entries) => heard.push(...entries.map(({ change }) => change.name)));
    const a = await workspace.add(A, { name: 'a' }, 'link');
    const b = await workspace.add(B, { name: 'b' });
    await workspace.edit(a, A, { name: 'c' });
    await workspace.edit(a, A, { name: 'c', timeoutMs: 5 });
    await workspace.move(b, -1);
    await workspace.hide(b);
    await workspace.restore(b);
    await workspace.remove(b);
    expect(heard).toEqual(['added', 'added', 'renamed', 'moved', 'removed', 'restored', 'removed']);
    const later = await open(store);
    expect(changesOf(later)).toEqual(changesOf(workspace));
    expect(later.log.entries[0]).toMatchObject({ serverId: a, change: { by: 'link' } });
    expect(later.addedOf(a)).toEqual({ addedAt: 0, addedBy: 'link' });
  });

  it('says that a server was added once, however often it is connected to', async () => {
    const workspace = await open(new MemoryStore());
    await connect(workspace, A, { name: 'a' }, 'demo');
    await connect(workspace, A, { name: 'a' });
    expect(changesOf(workspace)).toEqual(['a added']);
    expect(workspace.addedOf(only(workspace).id)).toMatchObject({ addedBy: 'demo' });
  });
});
