import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { reasonText } from '../../../log/reasons/reasonText.ts';
import { upgrade } from '../../../log/entry/upgrade.ts';
import { LogReader } from '../../../storage/logReader.ts';
import { MemoryStore } from '../../../storage/memoryStore.ts';
import { ServerStore } from '../../../storage/serverStore.ts';
import type { Records } from '../../../storage/store.ts';
import type { LocksLike } from '../../../base/exclusive.ts';
import { LIST_RECORD } from '../serverDirectory.ts';
import { parseSavedServers } from '../../settings/savedServer.ts';
import { revive } from '../../testing/storedDump.ts';
import { upgradeIfNeeded } from './upgradeIfNeeded.ts';

/** What a browser had stored, as it was dumped from the last version that stored servers by name. */
interface Dump {
  readonly host: string;
  readonly records: Readonly<Record<string, unknown>>;
}

const dump = JSON.parse(await readFile('e2e/specs/fixtures/storageKeyedByName.json', 'utf8')) as Dump;
const URL_OF_ALL = `http://${dump.host}/mcp`;
const NAMES = [`${dump.host}/mcp`, dump.host, 'Alpha One', 'alpha (imported)', 'servers'];

/** A disk that fails from some write on, as one does whose page has died. */
class MortalStore extends MemoryStore {
  writesLeft = Infinity;

  override write(set: Records, remove: readonly string[] = []): Promise<void> {
    if (this.writesLeft <= 0) return Promise.reject(new Error('the page is gone'));
    this.writesLeft -= 1;
    return super.write(set, remove);
  }
}

/** Keys are no plain data, so a store that copies what it is given by value takes them as they are. */
const key = (await revive(dump.records['vault/key'])) as CryptoKey;

async function oldDisk(change: Readonly<Record<string, unknown>> = {}): Promise<MortalStore> {
  const disk = new MortalStore();
  const records = { ...dump.records, ...change };
  for (const [name, value] of Object.entries(records)) {
    await disk.write([[name, name === 'vault/key' ? key : await revive(value)]]);
  }
  return disk;
}

const patient = { after: () => () => undefined };
/** Long enough for the servers that nobody holds, on a busy machine too. */
const hasty = {
  after: (_: number, run: () => void) => {
    const timer = setTimeout(run, 1500);
    return () => clearTimeout(timer);
  },
};
const noTexts = { read: () => undefined, write: () => undefined };

/** One holder for each name, first come first served; the tests' own pages use it as a browser's tabs do. */
class Locks implements LocksLike {
  readonly #tails = new Map<string, Promise<unknown>>();

  async request(name: string, _: unknown, callback: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    const held = before.then(callback, callback);
    this.#tails.set(
      name,
      held.catch(() => undefined),
    );
    await held;
  }

  /** @returns the release */
  hold(name: string): () => void {
    let release = (): void => undefined;
    void this.request(name, undefined, () => new Promise((resolve) => (release = resolve)));
    return () => release();
  }
}

/** A record of the dump, as the current version of the log reads it. */
function upgraded(name: string): JsonObject {
  const record = upgrade(dump.records[name]);
  if (!record.ok) throw new Error(record.error);
  return record.value;
}

async function expectAllThere(disk: MemoryStore): Promise<void> {
  const all = parseSavedServers(await disk.get(LIST_RECORD));
  expect(all.map(({ name }) => name)).toEqual(NAMES);
  for (const { id, formerId = '', url } of all) {
    expect(id).toMatch(/^[0-9A-Z]{26}$/);
    const { state, segments, damage } = await new LogReader(disk, id).restore();
    expect(damage).toEqual([]);
    const old = upgraded(`log/${formerId}/head`);
    expect({ ...state }).toEqual(old['head']);
    expect(segments).toEqual(old['segments']);
    const read = await new LogReader(disk, id).read(segments);
    expect(read.flat().map(({ seq }) => seq)).toEqual(
      Array.from({ length: state.nextSeq - 1 }, (_, i) => i + 1),
    );
    const known = await new ServerStore(disk, noTexts, id).load({ url });
    expect(JSON.stringify([await disk.get(`servers/${id}/session`)])).not.toContain('sessionId');
    expect(known.session).toEqual(dump.records[`server/${formerId}/session`]);
    expect(known.lists).toEqual(dump.records[`server/${formerId}/lists`]);
    expect(known.preferences).toEqual(dump.records[`server/${formerId}/wishes`]);
    expect(known.credentials).toEqual(
      formerId === 'alpha'
        ? { bearer: 'recorded-bearer-7d1', clientId: 'recorded-client', clientSecret: 'recorded-secret-55' }
        : {},
    );
  }
  const settings = all.find(({ name }) => name === 'Alpha One');
  expect(settings).toMatchObject({ url: URL_OF_ALL, timeoutMs: 90_000, revision: 'auto', formerId: 'alpha' });
}

/** What belongs to no server of the list. */
async function leftOver(disk: MemoryStore): Promise<readonly string[]> {
  const ids = parseSavedServers(await disk.get(LIST_RECORD)).map(({ id }) => id);
  const known = new RegExp(
    `^(server-list$|vault/key$|(servers|vault/secret/server)/(${ids.join('|')})(/|$))`,
  );
  return (await disk.keys()).filter((name) => !known.test(name));
}

describe('storage of an earlier version', () => {
  it('is moved, whole, to keys of each server’s own ID', async () => {
    const disk = await oldDisk();
    expect(await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient })).toEqual([]);
    await expectAllThere(disk);
    expect(await leftOver(disk)).toEqual([]);
  });

  it('is moved at a later start where the page dies at any moment of the first', async () => {
    for (let writes = 0; ; writes += 1) {
      const disk = await oldDisk();
      disk.writesLeft = writes;
      const problems = await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient });
      const isWhole = disk.writesLeft > 0;
      if (isWhole) expect(problems).toEqual([]);
      disk.writesLeft = Infinity;
      expect(await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient })).toEqual(
        [],
      );
      await expectAllThere(disk);
      expect(await leftOver(disk)).toEqual([]);
      if (isWhole) return;
    }
  });

  it('is moved once where two tabs start together', async () => {
    const disk = await oldDisk();
    const locks = new Locks();
    const start = () => upgradeIfNeeded({ disk, locks, tabTexts: noTexts, clock: patient });
    expect(await Promise.all([start(), start()])).toEqual([[], []]);
    await expectAllThere(disk);
    expect(await leftOver(disk)).toEqual([]);
  });

  it('is left alone while a tab of that version uses it, and moved when that tab is closed', async () => {
    const disk = await oldDisk();
    const locks = new Locks();
    const close = locks.hold('reprise/alpha');
    const said = await upgradeIfNeeded({ disk, locks, tabTexts: noTexts, clock: hasty });
    expect(said).toEqual([expect.stringContaining('“Alpha One” is open in a tab with an earlier version')]);
    expect(parseSavedServers(await disk.get(LIST_RECORD)).map(({ name }) => name)).toEqual(
      NAMES.filter((name) => name !== 'Alpha One'),
    );
    expect(await disk.get('log/alpha/head')).toEqual(dump.records['log/alpha/head']);
    expect(await disk.get('vault/secret/alpha')).toBeDefined();
    const told = new Promise((resolve) => {
      const channel = new BroadcastChannel('reprise/server-list');
      channel.onmessage = () => {
        channel.close();
        resolve(undefined);
      };
    });
    close();
    await told;
    expect(parseSavedServers(await disk.get(LIST_RECORD)).map(({ name }) => name)).toContain('Alpha One');
    expect(await leftOver(disk)).toEqual([]);
  });

  it('waits for a tab of that version whose server has the lock of the list', async () => {
    const disk = await oldDisk();
    const locks = new Locks();
    const close = locks.hold('reprise/servers');
    expect(await upgradeIfNeeded({ disk, locks, tabTexts: noTexts, clock: hasty })).toHaveLength(
      NAMES.length,
    );
    expect(await disk.get(LIST_RECORD)).toBeUndefined();
    close();
    await upgradeIfNeeded({ disk, locks, tabTexts: noTexts, clock: patient });
    expect(parseSavedServers(await disk.get(LIST_RECORD))).toHaveLength(NAMES.length);
  });

  it('loses nothing to a record that is damaged', async () => {
    const damaged = {
      'log/alpha/head': 'nonsense',
      'vault/secret/alpha': { iv: { $bytes: 'AAAA' }, data: { $buffer: 'AAAA' } },
      'server/servers/session': 7,
      workspace: [...(dump.records['workspace'] as object[]), { id: 'no address' }, null],
    };
    const disk = await oldDisk(damaged);
    expect(await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient })).toEqual([]);
    const all = parseSavedServers(await disk.get(LIST_RECORD));
    expect(all.map(({ name }) => name)).toEqual(NAMES);
    const { damage, segments } = await new LogReader(disk, all[2]?.id ?? '').restore();
    expect(damage.map(reasonText).join()).toContain('rebuilt it from the log');
    expect(segments).toHaveLength(2);
    // What could not be understood is still there.
    expect(await leftOver(disk)).toEqual(['vault/secret/alpha', 'workspace']);
    expect(await disk.get('workspace')).toEqual([{ id: 'no address' }, null]);
    expect(await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient })).toEqual([]);
    expect(parseSavedServers(await disk.get(LIST_RECORD))).toHaveLength(NAMES.length);
  });

  it('of a server whose name continues the key of another’s log stays its own', async () => {
    const name = 'alpha/segment/1';
    const list = [...(dump.records['workspace'] as object[]), { id: name, url: URL_OF_ALL }];
    const disk = await oldDisk({ workspace: list, [`log/${name}/head`]: dump.records['log/servers/head'] });
    expect(await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient })).toEqual([]);
    const { id = '' } = parseSavedServers(await disk.get(LIST_RECORD)).at(-1) ?? {};
    const { state } = await new LogReader(disk, id).restore();
    expect({ ...state }).toEqual(upgraded('log/servers/head')['head']);
    expect(await leftOver(disk)).toEqual([]);
  });

  it('of a server that was added again by an old tab becomes a server of its own', async () => {
    const disk = await oldDisk();
    await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient });
    await disk.write([['workspace', [{ id: 'servers', url: URL_OF_ALL }]]]);
    await upgradeIfNeeded({ disk, locks: undefined, tabTexts: noTexts, clock: patient });
    expect(parseSavedServers(await disk.get(LIST_RECORD)).map(({ name }) => name)).toEqual([
      ...NAMES,
      'servers 2',
    ]);
  });
});
