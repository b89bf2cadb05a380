import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../base/clock.ts';
import { isOpen } from '../../../log/state/call.ts';
import { ServerReducer } from '../../../log/state/serverReducer.ts';
import { foldStored } from '../../../log/state/foldStored.ts';
import { LogReader } from '../../../storage/logReader.ts';
import { MemoryStore } from '../../../storage/memoryStore.ts';
import { logIndexKey } from '../../../storage/records.ts';
import { ConnectionBudget } from '../../../wire/connectionBudget.ts';
import { LIST_RECORD } from '../serverDirectory.ts';
import { ServerLogin } from '../../servers/serverLogin.ts';
import { parseSavedServers } from '../../settings/savedServer.ts';
import { revive } from '../../testing/storedDump.ts';
import { Workspace } from '../workspace.ts';
import { openTestLog } from '../../../recorder/testing/testLog.ts';

/** A profile as a browser had it: calls that have ended, and one that runs. */
interface Dump {
  readonly openCall: string;
  readonly records: Readonly<Record<string, unknown>>;
}

const dump = JSON.parse(await readFile('e2e/specs/fixtures/storageOfVersion4.json', 'utf8')) as Dump;
const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

/** Keys are no plain data: a store that copies by value can't hold one. */
class DiskWithKey extends MemoryStore {
  key: unknown;
  override get(name: string): Promise<unknown> {
    return name === 'vault/key' ? Promise.resolve(this.key) : super.get(name);
  }
}

async function storedDisk(): Promise<{ disk: DiskWithKey; id: string }> {
  const disk = new DiskWithKey();
  for (const [name, value] of Object.entries(dump.records)) {
    if (name === 'vault/key') disk.key = await revive(value);
    else await disk.write([[name, await revive(value)]]);
  }
  const [server] = parseSavedServers(await disk.get(LIST_RECORD));
  if (!server) throw new Error('The dump has no server.');
  return { disk, id: server.id };
}

const storedState = async (disk: MemoryStore, id: string) =>
  ((await disk.get(logIndexKey(id))) as { readonly head: object }).head;

describe('stored data of the version before', () => {
  it('comes back whole', async () => {
    const { disk, id } = await storedDisk();
    const { state, segments, damage } = await new LogReader(disk, id).restore();
    expect(damage).toEqual([]);
    expect(state).toEqual(await storedState(disk, id));
    expect(new ServerReducer(id, state).snapshot()).toEqual({ ...state, bridge: undefined });
    const entries = (await new LogReader(disk, id).read(segments)).flat();
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: state.nextSeq - 1 }, (_, i) => i + 1));
    expect(state.calls.filter(isOpen).map((call) => call.id)).toEqual([dump.openCall]);
  });

  it('folds to the state that was stored beside it', async () => {
    const { disk, id } = await storedDisk();
    const { segments } = await new LogReader(disk, id).restore();
    const state = new ServerReducer(id);
    foldStored(state, (await new LogReader(disk, id).read(segments)).flat());
    expect(state.snapshot()).toEqual({ ...(await storedState(disk, id)), bridge: undefined });
  });

  it('has its open call resumed, in its session and from its event ID', async () => {
    const { disk, id } = await storedDisk();
    const gets: Headers[] = [];
    const workspace = await Workspace.open(
      {
        store: disk,
        clock,
        openLog: openTestLog,
        tabTexts: { read: () => undefined, write: () => undefined },
        fetch: (_, init) => {
          if (init?.method === 'GET') gets.push(new Headers(init.headers));
          return Promise.reject(new TypeError('offline'));
        },
        locks: undefined,
        budgetFor: () => new ConnectionBudget(clock),
        clientInfo: { name: 'test', version: '0' },
        makeLogin: (login, options) => new ServerLogin(login, options),
        pageOrigin: 'http://localhost',
        isOnline: () => true,
        redirectUrl: 'http://localhost/',
        findWorker: () => Promise.resolve(undefined),
        prepare: () => Promise.resolve(),
      },
      { read: () => undefined, write: () => undefined, holdsBack: () => false },
    );
    await workspace.ready();
    const { state } = await new LogReader(disk, id).restore();
    const cursors = state.streams.map(({ cursor }) => cursor);
    await expect
      .poll(() => gets.map((headers) => headers.get('last-event-id')).sort())
      .toEqual(cursors.sort());
    expect(gets.every((headers) => headers.get('mcp-session-id') !== null)).toBe(true);
    await Promise.all(workspace.servers.map((tab) => tab.close()));
  });
});
