import { ServerLogin } from '../servers/serverLogin.ts';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { printLogFile } from '../../timeline/share/logFile.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import type { Store } from '../../storage/store.ts';
import { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { Workspace } from './workspace.ts';
import { openTestLog } from '../../recorder/testing/testLog.ts';

const KILOBYTE = 1000;
let now = 0;
const clock: Clock = { now: () => now, after: () => () => undefined, random: () => 0 };

interface Setting {
  limitBytes: number;
}

async function open(store: Store, setting: Setting): Promise<Workspace> {
  let selected: string | undefined;
  const workspace = await Workspace.open(
    {
      store,
      clock,
      openLog: openTestLog,
      tabTexts: { read: () => undefined, write: () => undefined },
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
      storageLimitBytes: () => setting.limitBytes,
    },
    { read: () => selected, write: (id) => (selected = id), holdsBack: () => false },
  );
  await workspace.ready();
  return workspace;
}

async function addServer(workspace: Workspace, name: string): Promise<ServerHandle> {
  const id = await workspace.add('http://a.example/mcp', { name });
  const tab = workspace.servers.find((one) => one.id === id);
  if (!tab) throw new Error('The server has no tab.');
  return tab;
}

/** One call after the other, each with a result of 100 KB, at this time. */
async function makeCalls(tab: ServerHandle, at: number, ids: readonly string[]): Promise<void> {
  now = at;
  for (const callId of ids) {
    const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: true } as const;
    const message = { jsonrpc: '2.0', id: callId, result: { text: 'x'.repeat(100 * KILOBYTE) } };
    tab.log.append(
      { body: { kind: 'call', callId, change } },
      { body: { kind: 'sent', stream: callId, callId, method: 'tools/call', raw: '{}' } },
      { body: { kind: 'received', stream: callId, callId, raw: JSON.stringify(message) }, message },
    );
    await tab.source.flushed();
  }
}

const usedBy = (workspace: Workspace, { id }: ServerHandle) =>
  workspace.storage.usage().servers.find((server) => server.id === id)?.usedBytes ?? 0;
const ids = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i + 1}`);
const notesOf = (tab: ServerHandle) =>
  tab.log.tail.flatMap((entry) => (entry.kind === 'note' ? [entry] : []));

describe('one limit for the logs of all servers', () => {
  it('removes the oldest of the least recently used server, and its calls say when', async () => {
    const store = new MemoryStore();
    const setting = { limitBytes: Infinity };
    const workspace = await open(store, setting);
    const old = await addServer(workspace, 'used long ago');
    const recent = await addServer(workspace, 'used before');
    const shown = await addServer(workspace, 'shown');
    workspace.select(shown.id);
    await makeCalls(shown, 1, ids('s', 4));
    await makeCalls(old, 2, ids('o', 4));
    await makeCalls(recent, 3, ids('r', 4));
    const before = [recent, shown].map((tab) => usedBy(workspace, tab));
    setting.limitBytes = 1100 * KILOBYTE;
    now = 50;
    await workspace.storage.look();
    expect(workspace.storage.usage().usedBytes).toBeLessThan(setting.limitBytes);
    expect([recent, shown].every((tab, i) => usedBy(workspace, tab) >= (before[i] ?? 0))).toBe(true);
    expect(notesOf(old)).toMatchObject([{ level: 'warn', reason: { code: 'storage-full' } }]);

    now = 90;
    const later = await open(store, setting);
    const again = later.servers.find(({ id }) => id === old.id);
    const calls = [...(again?.log.state.calls.values() ?? [])];
    expect(calls.map(({ id, resultRemovedAt }) => [id, resultRemovedAt])).toEqual([
      ['o1', 50],
      ['o2', 50],
      ['o3', 50],
      ['o4', undefined],
    ]);
    await again?.loadResult('o1');
    expect(again?.log.state.calls.get('o1')).not.toHaveProperty('isResultRemoved');
    await again?.loadResult('o4');
    expect(again?.log.state.calls.get('o4')?.result).toBeDefined();
  });

  it('warns once at 80 %, in the server that is shown', async () => {
    const setting = { limitBytes: 1000 * KILOBYTE };
    const workspace = await open(new MemoryStore(), setting);
    const other = await addServer(workspace, 'other');
    const shown = await addServer(workspace, 'shown');
    workspace.select(shown.id);
    await makeCalls(other, 1, ids('o', 7));
    await workspace.storage.look();
    expect(workspace.storage.isAlmostFull).toBe(false);
    await makeCalls(other, 2, ids('p', 1));
    await workspace.storage.look();
    await workspace.storage.look();
    expect(workspace.storage.isAlmostFull).toBe(true);
    await shown.log.folded();
    expect(notesOf(shown)).toMatchObject([{ level: 'info', reason: { code: 'storage-almost-full' } }]);
    expect(notesOf(other)).toEqual([]);
  });

  it('keeps what an open call needs', async () => {
    const setting = { limitBytes: Infinity };
    const workspace = await open(new MemoryStore(), setting);
    const tab = await addServer(workspace, 'busy');
    const change = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: true } as const;
    tab.log.append(
      { body: { kind: 'call', callId: 'open', change } },
      { body: { kind: 'sent', stream: 'open', callId: 'open', method: 'tools/call', raw: '{}' } },
    );
    await makeCalls(tab, 1, ids('c', 4));
    const before = usedBy(workspace, tab);
    setting.limitBytes = 10 * KILOBYTE;
    await workspace.storage.look();
    expect(usedBy(workspace, tab)).toBeGreaterThanOrEqual(before);
  });

  it('counts an imported log too, and takes it when its turn comes', async () => {
    const store = new MemoryStore();
    const setting = { limitBytes: Infinity };
    const workspace = await open(store, setting);
    const source = await addServer(workspace, 'source');
    await makeCalls(source, 1, ids('c', 4));
    const info = { server: 'source', url: source.url, exportedAt: 1 };
    const pieces = () => printLogFile(info, source.entries());
    now = 2;
    await workspace.importLog({ name: 'log.json', pieces });
    const imported = workspace.requireSelected();
    await makeCalls(source, 3, ids('d', 1));
    workspace.select(source.id);
    const before = usedBy(workspace, source);
    setting.limitBytes = 800 * KILOBYTE;
    await workspace.storage.look();
    expect(usedBy(workspace, source)).toBeGreaterThanOrEqual(before);
    expect(usedBy(workspace, imported)).toBeLessThan(before / 2);
    const later = await open(store, setting);
    const again = later.servers.find(({ id }) => id === imported.id);
    expect(again?.isImported).toBe(true);
    expect(again?.log.state.calls.get('c1')).toMatchObject({ name: 'settled', resultRemovedAt: 3 });
  });
});
