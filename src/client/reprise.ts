/** `window.reprise`: what the console, the harness and people's own tests are given. */
import type { Tool } from '@modelcontextprotocol/client';
import { asText } from '../base/asText.ts';
import { loadPartPatiently } from '../base/loadPart.ts';
import { isToolCall, type Call } from '../log/call.ts';
import type { ConnectionState } from '../log/connectionState.ts';
import { toLogEntry, type LogEntry } from '../log/publicEntry.ts';
import { awaitActivity, type Activity } from './activity.ts';
import type { ServerTab } from './serverTab.ts';
import { withServer, type NamedServer } from './withServer.ts';
import type { ConnectOptions, Workspace } from './workspace.ts';

export interface Reprise {
  readonly version: string;
  /** The log is restored, and a reconnect was tried if there was a session. */
  readonly ready: Promise<void>;
  connect(url: string, options?: ConnectOptions): Promise<ConnectionState>;
  disconnect(options?: { forget?: boolean }): Promise<void>;
  /** By its id, or by its name. */
  select(server: string): void;
  state(): ConnectionState;
  tools(): Promise<readonly Tool[]>;
  /** After `timeoutMs` it goes on in the background for `backgroundMs`: without options 2 minutes, then 5. */
  call(tool: string, args?: object, options?: { timeoutMs?: number; backgroundMs?: number }): Promise<string>;
  cancel(callId: string): Promise<void>;
  calls(): readonly (Call & NamedServer)[];
  answer(requestId: string, result: object): Promise<void>;
  /** Refuses a question with a JSON-RPC error; an elicitation is better answered with `{ action: 'decline' }`. */
  decline(requestId: string): Promise<void>;
  awaitActivity(options?: { timeoutMs?: number; since?: string }): Promise<Activity>;
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
  return {
    version,
    ready,
    connect: async (url, options) => (await opening).connect(url, options),
    disconnect: async (options) => (await opening).disconnect(options),
    select: (server) => {
      if (!opened) throw new Error('The page has just begun. Wait for reprise.ready first.');
      opened.select(server);
    },
    state: () => opened?.selected?.state ?? { name: 'idle' },
    async tools() {
      const tab = await selected();
      await tab.execute({ name: 'lists' });
      return tab.lists.tools;
    },
    async call(tool, args = {}, options = {}) {
      // What a page keeps must be plain data: a function or a cycle in it would be found out only when it is stored.
      const plain = JSON.parse(JSON.stringify(args)) as object;
      return asText(await (await selected()).execute({ name: 'call', tool, args: plain, options }));
    },
    async cancel(callId) {
      await (await selected()).execute({ name: 'cancel', callId });
    },
    calls() {
      const tab = opened?.selected;
      if (!tab) return [];
      return [...tab.log.head.calls.values()].filter(isToolCall).map((call) => withServer(tab, call));
    },
    async answer(requestId, result) {
      await (await selected()).execute({ name: 'answer', requestId, result });
    },
    async decline(requestId) {
      await (await selected()).execute({ name: 'decline', requestId });
    },
    awaitActivity: async (options) => awaitActivity((await opening).tabs, options),
    // Few pages ask for entries by script: what finds and prints them is loaded for those that do.
    async entries(filter = '') {
      const tab = (await opening).selected;
      if (!tab) return [];
      if (filter.trim() === '') return allEntries(tab);
      return (await loadPartPatiently(() => import('./findEntries.ts'))).findEntries(tab, filter);
    },
    async exportLog() {
      const tab = await selected();
      return (await loadPartPatiently(() => import('./findEntries.ts'))).exportLog(tab);
    },
  };
}

/** Needs no part of the app that could be missing. */
async function allEntries(tab: ServerTab): Promise<readonly LogEntry[]> {
  const found: LogEntry[] = [];
  for await (const entries of tab.entries()) {
    for (const entry of entries) found.push(withServer(tab, toLogEntry(tab.name, entry)));
  }
  return found;
}
