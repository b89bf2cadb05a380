import { describe, expect, it } from 'vitest';
import { AuthStore } from '../../../auth/authStore.ts';
import { CredentialPlace } from '../../../storage/credentialPlace.ts';
import { MemoryStore } from '../../../storage/memoryStore.ts';
import { ServerStore } from '../../../storage/serverStore.ts';
import type { Records } from '../../../storage/store.ts';
import { Vault } from '../../../storage/vault.ts';
import { Rescue } from '../rescue.ts';
import { parseSavedServers } from '../../settings/savedServer.ts';
import { upgradeIfNeeded } from './upgradeIfNeeded.ts';

const KEY = 'key-of-the-url-42';
const URL_WITH_KEY = `https://ann:pass-word-9@host.example/mcp?a=b&api_key=${KEY}`;
const SHOWN = 'https://‹redacted›@host.example/mcp?a=b&api_key=‹redacted›';
const WITHOUT_KEY = 'https://host.example/mcp?a=b';
const SESSION = { sessionId: 'session-id-of-today-77', protocolVersion: '2025-11-25', handshake: {} };
const TOKENS = { tokens: { access_token: 'token-of-today-5', token_type: 'Bearer' }, savedAt: 1 };

const noTexts = { read: () => undefined, write: () => undefined };
const clock = { after: () => () => undefined };
const upgrade = (disk: MemoryStore) => upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock });

class MortalStore extends MemoryStore {
  isDead = false;

  override write(set: Records, remove: readonly string[] = []): Promise<void> {
    return this.isDead ? Promise.reject(new Error('the page is gone')) : super.write(set, remove);
  }
}

/** As the version before wrote it: URLs and sessions as they are, a login by the whole URL. */
async function diskOfToday(): Promise<MortalStore> {
  const disk = new MortalStore();
  const vault = new Vault(disk);
  const owner = 'server/A';
  const sealed = await vault.seal(owner, { bearer: 'bearer-of-today' }, 'https://host.example');
  await disk.write([
    [
      'server-list',
      [
        { id: 'A', name: 'one', url: URL_WITH_KEY, timeoutMs: 5 },
        { id: 'B', name: 'two', url: WITHOUT_KEY },
        { id: 'no URL' },
      ],
    ],
    ['servers/A/session', { url: URL_WITH_KEY, session: SESSION }],
    ['servers/B/session', { url: WITHOUT_KEY, session: SESSION }],
    [`vault/secret/${owner}`, sealed],
  ]);
  await vault.put(`oauth/${encodeURIComponent(URL_WITH_KEY)}/tokens`, TOKENS);
  await disk.write([[`vault/secret/oauth/${encodeURIComponent(URL_WITH_KEY)}/login`, 'nonsense']]);
  return disk;
}

async function everything(disk: MemoryStore): Promise<string> {
  const keys = await disk.keys();
  return JSON.stringify([keys.map(decodeURIComponent), await disk.getMany(keys)]);
}

async function expectAllThere(disk: MemoryStore): Promise<void> {
  const load = (id: string, url: string) => new ServerStore(disk, noTexts, id).load({ url });
  expect(await load('A', SHOWN)).toMatchObject({
    url: URL_WITH_KEY,
    session: SESSION,
    credentials: { bearer: 'bearer-of-today' },
  });
  expect(await load('B', WITHOUT_KEY)).toMatchObject({ url: WITHOUT_KEY, session: SESSION });
  expect(await new AuthStore(new Vault(disk), WITHOUT_KEY).tokens()).toEqual(TOKENS);
}

describe('keys in URLs and sessions that an earlier version stored unencrypted', () => {
  it('are sealed, and nothing is lost', async () => {
    const disk = await diskOfToday();
    for (const secret of [KEY, 'pass-word-9', SESSION.sessionId]) {
      expect(await everything(disk)).toContain(secret);
    }
    expect(await upgrade(disk)).toEqual([]);
    for (const secret of [KEY, 'pass-word-9', SESSION.sessionId]) {
      expect(await everything(disk)).not.toContain(secret);
    }
    expect(await disk.get('server-list')).toEqual([
      { id: 'A', name: 'one', url: SHOWN, timeoutMs: 5 },
      { id: 'B', name: 'two', url: WITHOUT_KEY },
      { id: 'no URL' },
    ]);
    await expectAllThere(disk);
  });

  it('stay as they were where the page dies, and are sealed at the next start', async () => {
    const disk = await diskOfToday();
    const before = await everything(disk);
    disk.isDead = true;
    expect(await upgrade(disk)).toEqual([
      'Stored keys and sessions can’t be encrypted: the page is gone. They are still stored.',
    ]);
    expect(await everything(disk)).toBe(before);
    disk.isDead = false;
    expect(await upgrade(disk)).toEqual([]);
    await expectAllThere(disk);
  });

  it('are sealed once: a second start changes nothing', async () => {
    const disk = await diskOfToday();
    await upgrade(disk);
    disk.isDead = true;
    expect(await upgrade(disk)).toEqual([]);
  });
});

describe('a server that can’t be opened', () => {
  it('is exported without its session ID, the key of its URL, its credentials and tokens', async () => {
    const disk = await diskOfToday();
    await upgrade(disk);
    const said = `You came with ${SESSION.sessionId} and ${KEY} and bearer-of-today and token-of-today-5.`;
    const raw = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: said } });
    const entry = { seq: 1, at: 1, load: 1, kind: 'received', stream: 's', raw };
    await disk.write([['servers/A/log/segment/1', { v: 3, runs: [entry] }]]);
    const rescue = new Rescue({ store: disk, locks: undefined, tabTexts: noTexts });
    const [record] = parseSavedServers(await disk.get('server-list'));
    if (!record) throw new Error('The list is empty.');
    const file = await rescue.exportLog(record);
    expect(file).toContain('You came with');
    for (const secret of [KEY, SESSION.sessionId, 'bearer-of-today', 'token-of-today-5']) {
      expect(file).not.toContain(secret);
    }
  });

  it('is removed with its login', async () => {
    const disk = await diskOfToday();
    await upgrade(disk);
    const rescue = new Rescue({ store: disk, locks: undefined, tabTexts: noTexts });
    for (const record of await rescue.servers()) await rescue.remove(record);
    expect([...(await disk.keys())].sort()).toEqual(['server-list', 'vault/key', 'workspace-log']);
  });
});

describe('a key that is sealed for one origin', () => {
  it('doesn’t open for another', async () => {
    const disk = await diskOfToday();
    await upgrade(disk);
    const other = SHOWN.replace('host.example', 'evil.example');
    expect(await new CredentialPlace(disk, noTexts, 'A').load({ url: other })).toEqual({
      url: other,
      credentials: {},
    });
  });
});
