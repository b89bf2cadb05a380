/** `window.reprise`: what the console, the harness and people's own tests are given. */
import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { asText } from '../../base/asText.ts';
import { loadPartPatiently } from '../../base/loadPart.ts';
import { isToolCall, type Call } from '../../log/state/call.ts';
import { toLogEntry, type LogEntry } from '../../log/entry/publicEntry.ts';
import { figuresOf, type RecoveryFigures } from '../../log/state/recovery.ts';
import {
  tellCall,
  tellQuestion,
  tellState,
  tellTask,
  type ToldCall,
  type ToldQuestion,
  type ToldState,
  type ToldTask,
} from '../../log/reasons/told.ts';
import type { ListedTask } from '../../log/protocol/task.ts';
import { awaitActivity, type Activity, type ActivityOptions } from './activity.ts';
import type { LogMessage } from './findEntries.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { otherTasks } from './otherTasks.ts';
import { describeServer, type ServerInfo } from './serverInfo.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { withServer, type NamedServer } from './withServer.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ConnectOptions } from '../workspace/workspaceTypes.ts';

export interface Reprise {
  readonly version: string;
  /** The log is restored, and a reconnect was tried if there was a session. */
  readonly ready: Promise<void>;
  connect(url: string, options?: ConnectOptions): Promise<ToldState>;
  disconnect(options?: { forget?: boolean }): Promise<void>;
  /** By its id, or by its name. */
  select(server: string): void;
  /** All of them; everything else is about the selected one. */
  servers(): readonly ServerInfo[];
  state(): ToldState;
  tools(): Promise<readonly Tool[]>;
  resources(): Promise<readonly Resource[]>;
  resourceTemplates(): Promise<readonly ResourceTemplateType[]>;
  prompts(): Promise<readonly Prompt[]>;
  /** After `timeoutMs` it goes on in the background for `backgroundMs`: without options 2 minutes, then 5. */
  /** `meta`: sent as `_meta`, beside what the protocol needs. */
  call(
    tool: string,
    args?: object,
    options?: { timeoutMs?: number; backgroundMs?: number; meta?: object },
  ): Promise<string>;
  cancel(callId: string): Promise<void>;
  calls(): readonly (ToldCall & NamedServer)[];
  tasks(): readonly (ToldTask & NamedServer)[];
  /** Tasks that the server listed last, and that were neither started nor followed here. */
  otherTasks(): readonly (ListedTask & NamedServer)[];
  /** Follows one of them, across reloads. Resolves with the ID by which `calls()` has its outcome. */
  followTask(taskId: string): Promise<string>;
  cancelTask(taskId: string): Promise<void>;
  /** The elicitations and sampling requests that wait for an answer. */
  questions(): readonly (ToldQuestion & NamedServer)[];
  answer(requestId: string, result: object): Promise<void>;
  /** Refuses a question with a JSON-RPC error; an elicitation is better answered with `{ action: 'decline' }`. */
  decline(requestId: string): Promise<void>;
  awaitActivity(options?: ActivityOptions): Promise<Activity>;
  /** The newest log messages of the server, 500 without a `limit`, oldest first. */
  logs(options?: { limit?: number }): Promise<readonly (LogMessage & NamedServer)[]>;
  /** How often the connection was lost and came back, and what that cost. */
  metrics(): Promise<RecoveryFigures & NamedServer>;
  /** Resolves when everything so far is on disk. */
  stored(): Promise<void>;
  entries(filter?: string): Promise<readonly LogEntry[]>;
  exportLog(): Promise<string>;
}

/** It is there before the workspace is: whoever asks early waits, or is told that nothing is selected yet. */
export function createReprise(opening: Promise<Workspace>, version: string, ready: Promise<void>): Reprise {
  let opened: Workspace | undefined;
  void opening.then(
    (workspace) => (opened = workspace),
    () => undefined,
  );
  const selected = async () => (await opening).requireSelected();
  const list = async <Name extends keyof Catalog>(name: Name): Promise<Catalog[Name]> => {
    const tab = await selected();
    await tab.execute({ name: 'lists' });
    return tab.lists[name];
  };
  const known = <T extends object>(items: (tab: ServerHandle) => Iterable<T>) => {
    const tab = opened?.selected;
    return tab ? [...items(tab)].map((item) => withServer(tab, item)) : [];
  };
  return {
    version,
    ready,
    connect: async (url, options) => tellState(await (await opening).connect(url, options)),
    disconnect: async (options) => (await opening).disconnect(options),
    select: (server) => {
      if (!opened) throw new Error('Not ready yet. Await reprise.ready first.');
      opened.select(server);
    },
    state: () => tellState(opened?.selected?.state ?? { name: 'idle' }),
    servers: () =>
      (opened?.servers ?? []).map((tab) =>
        describeServer(tab, tab === opened?.selected, opened?.addedOf(tab.id) ?? {}),
      ),
    tools: () => list('tools'),
    resources: () => list('resources'),
    resourceTemplates: () => list('resourceTemplates'),
    prompts: () => list('prompts'),
    async call(tool, args = {}, options = {}) {
      // What a page keeps must be plain data: a function or a cycle in it would be found out only when it is stored.
      const [plain, meta] = JSON.parse(JSON.stringify([args, options.meta])) as [object, object | null];
      const given = { ...options, ...(meta && { meta }) };
      return asText(await (await selected()).execute({ name: 'call', tool, args: plain, options: given }));
    },
    async cancel(callId) {
      await (await selected()).execute({ name: 'cancel', callId });
    },
    calls: () => known(({ log }) => [...log.state.calls.values()].filter(isCall).map(tellCall)),
    tasks: () => known(({ log }) => [...log.state.continuations.tasks.values()].map(tellTask)),
    otherTasks: () => known(otherTasks),
    followTask: async (taskId) => asText(await (await selected()).execute({ name: 'follow-task', taskId })),
    async cancelTask(taskId) {
      await (await selected()).execute({ name: 'cancel-task', taskId });
    },
    questions: () => known(({ log }) => [...log.state.questions.values()].map(tellQuestion)),
    async answer(requestId, result) {
      await (await selected()).execute({ name: 'answer', requestId, result });
    },
    async decline(requestId) {
      await (await selected()).execute({ name: 'decline', requestId });
    },
    awaitActivity: async (options) => awaitActivity(await opening, options),
    // Few pages are asked by script: what finds and prints entries is loaded for those that are.
    async logs({ limit } = {}) {
      const tab = await selected();
      return (await loadPartPatiently(() => import('./findEntries.ts'))).newestLogMessages(tab, limit);
    },
    async metrics() {
      const tab = await selected();
      return withServer(tab, figuresOf(tab.log.state.recovery));
    },
    async stored() {
      await Promise.all((await opening).servers.map(({ source }) => source.flushed()));
    },
    async entries(filter = '') {
      const tab = (await opening).selected;
      if (!tab) return [];
      if (filter.trim() === '') return allEntries(tab);
      return (await loadPartPatiently(() => import('./findEntries.ts'))).findEntries(tab, filter);
    },
    async exportLog() {
      const tab = await selected();
      return (await loadPartPatiently(() => import('./exportLog.ts'))).exportLog(tab);
    },
  };
}

const isCall = (call: Call): boolean => isToolCall(call) || call.method === 'tasks/result';

/** Needs no part of the app that could be missing. */
async function allEntries(tab: ServerHandle): Promise<readonly LogEntry[]> {
  const found: LogEntry[] = [];
  for await (const entries of tab.entries()) {
    for (const entry of entries) found.push(withServer(tab, toLogEntry(tab.name, entry)));
  }
  return found;
}
