/** `awaitActivity`: one call that the page, the console and the Playwright fixtures wait with. */
import type { Emitter } from '../../base/emitter.ts';
import { isOpen, isToolCall } from '../../log/state/call.ts';
import { toLogEntry, type LogEntry } from '../../log/entry/publicEntry.ts';
import { tellCall, tellQuestion, type ToldCall, type ToldQuestion } from '../../log/reasons/told.ts';
import { wakingAmong, type ServerTrigger, type Trigger } from './activityEvents.ts';
import { parsePosition, position, printPosition, readNews } from './activityNews.ts';
import type { ActivityServer, News, Position } from './activityNews.ts';
import { withServer, type NamedServer } from './withServer.ts';
import type { WorkspaceEntry, WorkspaceLog } from '../workspace/workspaceLog.ts';

export interface Activity {
  readonly triggers: readonly Trigger[];
  readonly events: readonly (NamedServer & { readonly events: readonly LogEntry[] })[];
  /** What was done with the list of servers, in any tab. */
  readonly workspace: readonly WorkspaceEntry[];
  /** Entries after `since` were removed, because the log was full: some events are missing. */
  readonly truncated?: true;
  readonly pendingServer: readonly (NamedServer & { readonly calls: readonly (ToldCall & NamedServer)[] })[];
  readonly pendingClient: {
    readonly elicitations: readonly (ToldQuestion & NamedServer)[];
    readonly samplingRequests: readonly (ToldQuestion & NamedServer)[];
  };
  readonly lastEventId?: string;
}

export interface ActivitySource {
  readonly servers: readonly ActivityServer[];
  /** Servers may have been added or removed. */
  readonly changed: Pick<Emitter<undefined>, 'on'>;
  readonly log: Pick<WorkspaceLog, 'entries' | 'lastSeq' | 'appended'>;
}

export interface ActivityOptions {
  readonly timeoutMs?: number;
  readonly since?: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Where a cursor has the last entry about the list of servers; servers have ULIDs. */
const WORKSPACE = 'workspace';

export async function awaitActivity(
  source: ActivitySource,
  { timeoutMs = DEFAULT_TIMEOUT_MS, since }: ActivityOptions = {},
): Promise<Activity> {
  const from = parsePosition(since) ?? position(source.servers);
  const listedTo = from.get(WORKSPACE) ?? source.log.lastSeq;
  // Before anything is read: what comes while storage is read must wake as well.
  const waiter = new Waiter(source);
  try {
    if (since !== undefined) {
      const changed = serverChanges(source, from);
      const news = await readNews(source.servers, from);
      const isListChanged = changed.length > 0 || source.log.lastSeq > listedTo;
      const listed = listTriggers(source.log.entries.filter(({ seq }) => seq > listedTo));
      if (isListChanged || news.some(({ entries }) => entries.length > 0)) {
        return describe(source, listedTo, news, [{ type: 'immediate' }, ...changed, ...listed]);
      }
    }
    await waiter.wakeWithin(timeoutMs);
    const news = await readNews(source.servers, from);
    const { triggers } = waiter;
    return describe(source, listedTo, news, triggers.length > 0 ? triggers : [{ type: 'timeout' }]);
  } finally {
    waiter.close();
  }
}

/** Listens to every server, also to those that are added while it waits. */
class Waiter {
  triggers: readonly Trigger[] = [];
  readonly #source: ActivitySource;
  readonly #listening = new Map<string, { readonly name: string; readonly stop: () => void }>();
  readonly #stopLooking: () => void;
  readonly #stopReading: () => void;
  #wake: (() => void) | undefined;

  constructor(source: ActivitySource) {
    this.#source = source;
    for (const tab of source.servers) this.#listen(tab);
    this.#stopLooking = source.changed.on(() => this.#look());
    this.#stopReading = source.log.appended.on((entries) => this.#read(entries));
  }

  wakeWithin(timeoutMs: number): Promise<void> {
    if (this.triggers.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    this.#stopLooking();
    this.#stopReading();
    for (const { stop } of this.#listening.values()) stop();
  }

  #listen(tab: ActivityServer): void {
    let state = tab.log.state.connection.name;
    const stop = tab.log.appended.on(({ samples }) => {
      const waking = wakingAmong(samples, state);
      state = tab.log.state.connection.name;
      for (const { trigger } of waking) this.#add(withServer<ServerTrigger>(tab, trigger));
    });
    this.#listening.set(tab.id, { name: tab.name, stop });
  }

  #look(): void {
    const { servers } = this.#source;
    for (const tab of servers) {
      if (this.#listening.has(tab.id)) continue;
      this.#listen(tab);
      this.#add(withServer(tab, { type: 'server_added' as const }));
    }
    for (const [id, { name, stop }] of this.#listening) {
      if (servers.some((tab) => tab.id === id)) continue;
      stop();
      this.#listening.delete(id);
      this.#add(withServer({ id, name }, { type: 'server_removed' as const }));
    }
  }

  /** That a server was added or removed is told when its log is open, or closed. */
  #read(entries: readonly WorkspaceEntry[]): void {
    for (const trigger of listTriggers(entries)) this.#add(trigger);
  }

  #add(trigger: Trigger): void {
    // A burst wakes once: one trigger for each kind of event is enough.
    if (!this.triggers.some((known) => isSame(known, trigger))) this.triggers = [...this.triggers, trigger];
    this.#wake?.();
  }
}

function isSame(a: Trigger, b: Trigger): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function listTriggers(entries: readonly WorkspaceEntry[]): readonly Trigger[] {
  return entries.flatMap(({ serverId, server, change: { name } }): readonly Trigger[] =>
    name === 'renamed' || name === 'moved' ? [{ type: `server_${name}`, server, serverId }] : [],
  );
}

/** A cursor names the servers that there were. */
function serverChanges({ servers, log }: ActivitySource, from: Position): readonly Trigger[] {
  const gone = [...from.keys()].filter((id) => id !== WORKSPACE && !servers.some((tab) => tab.id === id));
  const nameOf = (id: string) => log.entries.findLast(({ serverId }) => serverId === id)?.server ?? id;
  return [
    ...servers
      .filter(({ id }) => !from.has(id))
      .map((tab) => withServer(tab, { type: 'server_added' as const })),
    ...gone.map((id) => withServer({ id, name: nameOf(id) }, { type: 'server_removed' as const })),
  ];
}

function describe(
  { servers, log }: ActivitySource,
  listedTo: number,
  news: readonly News[],
  triggers: readonly Trigger[],
): Activity {
  const questions = servers.flatMap((tab) =>
    [...tab.log.state.questions.values()].map((question) => withServer(tab, tellQuestion(question))),
  );
  return {
    triggers,
    events: news
      .filter(({ entries }) => entries.length > 0)
      .map(({ tab, entries }) =>
        withServer(tab, {
          events: entries.map((entry) => withServer(tab, toLogEntry(tab.name, entry))),
        }),
      ),
    workspace: log.entries.filter(({ seq }) => seq > listedTo),
    ...(news.some(({ isTruncated }) => isTruncated) && { truncated: true }),
    pendingServer: servers
      .map((tab) =>
        withServer(tab, {
          calls: [...tab.log.state.calls.values()]
            .filter((call) => isOpen(call) && isToolCall(call))
            .map((call) => withServer(tab, tellCall(call))),
        }),
      )
      .filter(({ calls }) => calls.length > 0),
    pendingClient: {
      elicitations: questions.filter(({ method }) => method === 'elicitation/create'),
      samplingRequests: questions.filter(({ method }) => method === 'sampling/createMessage'),
    },
    lastEventId: printPosition(
      new Map([...news.map(({ tab, readTo }) => [tab.id, readTo] as const), [WORKSPACE, log.lastSeq]]),
    ),
  };
}
