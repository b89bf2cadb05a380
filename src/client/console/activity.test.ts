import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import type { EntryBody } from '../../log/entry/entry.ts';
import { Log, type Draft } from '../../log/log.ts';
import { LogReader } from '../../storage/logReader.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { awaitActivity, type Activity } from './activity.ts';
import type { ActivityServer } from './activityNews.ts';
import { StoredLog } from '../servers/storedLog.ts';
import { recorded } from '../../log/reasons/reason.ts';
import { WorkspaceLog, type WorkspaceChange, type WorkspaceEntry } from '../workspace/workspaceLog.ts';

const clock: Clock = { now: () => 1, after: () => () => undefined, random: () => 0 };
const CONNECTED: ConnectionState = { name: 'connected', how: 'fresh' };
const LOST: ConnectionState = {
  name: 'reconnecting',
  attempt: 1,
  retryAt: 0,
  reason: recorded('Connection lost.'),
};

interface OpenTab extends ActivityServer {
  readonly stored: StoredLog;
}

/** A log as a page has it, on a store that another page may open after it. */
async function openTab(
  store = new MemoryStore(),
  { id = 's1', limits }: { id?: string; limits?: { entries: number; sizeBytes: number } } = {},
): Promise<OpenTab> {
  const reader = new LogReader(store, id);
  const restored = await reader.restore();
  const log = new Log(id, clock, restored);
  const stored = new StoredLog(log, reader, restored, () => Promise.resolve());
  await stored.lead({ store, ...(limits && { limits }) }, () => undefined);
  return { id, name: `server ${id}`, log, source: stored.source, stored };
}

class Servers {
  readonly changed = new Emitter<undefined>();
  readonly log = new WorkspaceLog();
  servers: readonly ActivityServer[];

  constructor(...servers: readonly ActivityServer[]) {
    this.servers = servers;
  }

  change(...servers: readonly ActivityServer[]): void {
    this.servers = servers;
    this.changed.emit(undefined);
  }
}

const message = (method: string | undefined, n = 0): Draft => {
  const text = {
    jsonrpc: '2.0',
    ...(method === undefined ? { id: 'x', result: {} } : { method, params: { n } }),
  };
  const raw = JSON.stringify(text);
  return {
    body: { kind: 'received', stream: 'standalone', raw, ...(method !== undefined && { method }) },
    message: text,
  };
};
const progress = (n: number) => message('notifications/progress', n);
const body = (given: EntryBody): Draft => ({ body: given });
const state = (given: ConnectionState): Draft => body({ kind: 'state', state: given });
const eventsOf = (activity: Activity) => activity.events.flatMap(({ events }) => events);
const server = { server: 'server s1', serverId: 's1' };
const entryAbout = (seq: number, change: WorkspaceChange): WorkspaceEntry => ({
  seq,
  at: 1,
  ...server,
  change,
});
/** Until everything that has been begun is done but for timers. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('awaitActivity wakes', () => {
  const call = { kind: 'call', callId: 'c1' } as const;
  const question = { kind: 'question', requestId: 'q1' } as const;
  // oxfmt-ignore
  const cases: [string, ConnectionState, Draft, object][] = [
    ['when a notification comes', CONNECTED, progress(1), { type: 'event', eventType: 'notifications/progress' }],
    ['when a request of the server comes', CONNECTED, message('elicitation/create'), { type: 'event', eventType: 'elicitation/create' }],
    ['when a response comes', CONNECTED, message(undefined), { type: 'event', eventType: 'response' }],
    ['when a call goes on in the background', CONNECTED, body({ ...call, change: { name: 'background' } }), { type: 'event', eventType: 'call' }],
    ['when a call is lost', CONNECTED, body({ ...call, change: { name: 'lost', reason: recorded('') } }), { type: 'event', eventType: 'call' }],
    ['when a question is answered', CONNECTED, body({ ...question, change: { name: 'answered' } }), { type: 'event', eventType: 'question' }],
    ['when a question expires', CONNECTED, body({ ...question, change: { name: 'expired', reason: recorded('') } }), { type: 'event', eventType: 'question' }],
    ['when the connection is lost', CONNECTED, state(LOST), { type: 'server_disconnected', state: 'reconnecting' }],
    ['when a login is needed', CONNECTED, state({ name: 'authorizing', reason: recorded(''), ask: 'login' }), { type: 'server_disconnected', state: 'authorizing' }],
    ['when the user disconnects', CONNECTED, state({ name: 'disconnected', reason: recorded('') }), { type: 'server_disconnected', state: 'disconnected' }],
    ['when the server can’t be reached', LOST, state({ name: 'failed', reason: recorded('') }), { type: 'server_disconnected', state: 'failed' }],
    ['when the connection is back', LOST, state({ name: 'connected', how: 'resumed' }), { type: 'server_reconnected' }],
    ['when the server was restarted', LOST, state({ name: 'connected', how: 'restarted' }), { type: 'server_restarted' }],
    ['when a new session is begun', { name: 'connecting', url: 'x' }, state(CONNECTED), { type: 'server_connected' }],
  ];
  it.each(cases)('%s', async (_, before, draft, trigger) => {
    const tab = await openTab();
    tab.log.append(state(before));
    const activity = awaitActivity(new Servers(tab));
    tab.log.append(draft);
    const entry = tab.log.tail.at(-1);
    await settle();
    expect(await activity).toMatchObject({
      triggers: [{ ...trigger, ...server }],
      events: [{ ...server, events: [{ seq: entry?.seq, ...server }] }],
    });
  });

  it('when a server is renamed or moved, in whatever tab', async () => {
    const servers = new Servers(await openTab());
    const before = 's1=0&workspace=0';
    const renamed = entryAbout(1, { name: 'renamed', from: 'old' });
    const first = awaitActivity(servers, { since: before });
    await settle();
    servers.log.adopt([renamed]);
    await settle();
    const { triggers, workspace, lastEventId = '' } = await first;
    expect({ triggers, workspace }).toEqual({
      triggers: [{ type: 'server_renamed', ...server }],
      workspace: [renamed],
    });
    const moved = entryAbout(2, { name: 'moved', from: 1, to: 0 });
    servers.log.adopt([renamed, moved]);
    expect(await awaitActivity(servers, { since: lastEventId })).toMatchObject({
      triggers: [{ type: 'immediate' }, { type: 'server_moved', ...server }],
      workspace: [moved],
    });
    expect(await awaitActivity(servers, { since: before })).toMatchObject({ workspace: [renamed, moved] });
  });

  it('with the name of a server that was removed', async () => {
    const servers = new Servers(await openTab());
    const before = 's1=0&workspace=0';
    servers.log.adopt([entryAbout(1, { name: 'removed' })]);
    servers.change();
    expect(await awaitActivity(servers, { since: before })).toMatchObject({
      triggers: [{ type: 'immediate' }, { type: 'server_removed', ...server }],
    });
  });

  it('when a server is added, and listens to it', async () => {
    const [one, two] = [await openTab(), await openTab(new MemoryStore(), { id: 's2' })];
    const servers = new Servers(one);
    const added = awaitActivity(servers);
    servers.change(one, two);
    two.log.append(progress(1));
    await settle();
    const { triggers, events } = await added;
    expect(triggers).toMatchObject([
      { type: 'server_added', serverId: 's2' },
      { type: 'event', serverId: 's2' },
    ]);
    expect(events).toMatchObject([{ serverId: 's2', events: [{ kind: 'received' }] }]);
  });

  it('when a server is removed', async () => {
    const servers = new Servers(await openTab());
    const removed = awaitActivity(servers);
    servers.change();
    await settle();
    expect((await removed).triggers).toEqual([{ type: 'server_removed', ...server }]);
  });

  it('at once when a server was added or removed since the cursor', async () => {
    const [one, two] = [await openTab(), await openTab(new MemoryStore(), { id: 's2' })];
    const { triggers } = await awaitActivity(new Servers(two), { since: 's1=0' });
    expect(triggers).toMatchObject([
      { type: 'immediate' },
      { type: 'server_added', serverId: 's2' },
      { type: 'server_removed', serverId: one.id },
    ]);
  });

  // oxfmt-ignore
  const quiet: [string, ConnectionState, Draft][] = [
    ['log messages', CONNECTED, message('notifications/message')],
    ['another attempt to reconnect', LOST, state({ ...LOST, attempt: 2 })],
    ['an answer that is being sent', CONNECTED, body({ kind: 'question', requestId: 'q1', change: { name: 'answering' } })],
    ['notes', CONNECTED, body({ kind: 'note', level: 'info', reason: recorded('x') })],
  ];
  it.each(quiet)('not for %s', async (_, before, draft) => {
    const tab = await openTab();
    tab.log.append(state(before));
    const activity = awaitActivity(new Servers(tab), { timeoutMs: 1000 });
    tab.log.append(draft);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await activity).toMatchObject({ triggers: [{ type: 'timeout' }], events: [] });
    const again = awaitActivity(new Servers(tab), {
      timeoutMs: 10,
      since: (await activity).lastEventId ?? '',
    });
    await vi.advanceTimersByTimeAsync(10);
    expect((await again).triggers).toEqual([{ type: 'timeout' }]);
  });
});

describe('awaitActivity', () => {
  it('wakes several who wait, each from its own cursor', async () => {
    const tab = await openTab();
    const servers = new Servers(tab);
    tab.log.append(message('notifications/message'));
    const waiters = [
      awaitActivity(servers),
      awaitActivity(servers, { since: 's1=0' }),
      awaitActivity(servers),
    ];
    await settle();
    tab.log.append(progress(1));
    await settle();
    for (const activity of await Promise.all(waiters)) {
      expect(activity).toMatchObject({ triggers: [{ type: 'event' }], events: [{ events: [{ seq: 2 }] }] });
      expect(activity.lastEventId).toBe('s1=2&workspace=0');
    }
  });

  it('gives every event of a burst that memory has let go of while somebody waits', async () => {
    const tab = await openTab();
    const activity = awaitActivity(new Servers(tab));
    tab.log.appendAll(Array.from({ length: 12_001 }, (_, n) => progress(n)));
    await settle();
    expect(tab.log.tail.length).toBeLessThan(12_001);
    const seqs = eventsOf(await activity).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 12_001 }, (_, n) => n + 1));
  });

  it('reads a cursor that is older than memory from storage, after a reload', async () => {
    const store = new MemoryStore();
    const before = await openTab(store);
    for (let i = 0; i < 12; i += 1) {
      before.log.appendAll(Array.from({ length: 1000 }, (_, n) => progress(1000 * i + n)));
    }
    await before.stored.flushed();
    await before.stored.close();
    const tab = await openTab(store);
    const activity = await awaitActivity(new Servers(tab), { since: 's1=2000' });
    expect(activity.truncated).toBeUndefined();
    expect(eventsOf(activity)).toHaveLength(10_000);
    expect(activity.lastEventId).toBe('s1=12000&workspace=0');
  });

  it('says that events are missing, if the log was full and they were removed', async () => {
    const tab = await openTab(new MemoryStore(), { limits: { entries: 8000, sizeBytes: Infinity } });
    for (let i = 0; i < 12; i += 1) {
      tab.log.appendAll(Array.from({ length: 1000 }, (_, n) => progress(n)));
      await tab.stored.flushed();
    }
    const activity = await awaitActivity(new Servers(tab), { since: 's1=10' });
    expect(activity.truncated).toBe(true);
    expect(activity.lastEventId).toBe(`s1=${tab.log.state.nextSeq - 1}&workspace=0`);
  });

  it('loses nothing that comes at the moment of the timeout', async () => {
    const tab = await openTab();
    const servers = new Servers(tab);
    const activity = awaitActivity(servers, { timeoutMs: 1000, since: 's1=0' });
    await vi.advanceTimersByTimeAsync(999);
    setTimeout(() => tab.log.append(progress(1)), 1);
    await vi.advanceTimersByTimeAsync(1);
    tab.log.append(progress(2));
    const first = await activity;
    const second = await awaitActivity(servers, { timeoutMs: 0, since: first.lastEventId ?? '' });
    expect([...eventsOf(first), ...eventsOf(second)].map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('wakes for what comes while storage is read', async () => {
    const store = new MemoryStore();
    const before = await openTab(store);
    before.log.appendAll(Array.from({ length: 6000 }, () => message('notifications/message')));
    await before.stored.flushed();
    await before.stored.close();
    const tab = await openTab(store);
    const activity = awaitActivity(new Servers(tab), { since: 's1=0' });
    tab.log.append(progress(1));
    await settle();
    expect(eventsOf(await activity)).toMatchObject([{ seq: 6001 }]);
  });
});
