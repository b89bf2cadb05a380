/** `window.reprise`: what the console, the harness and people's own tests are given. */
import type { Tool } from '@modelcontextprotocol/client';
import type { Call } from '../log/call.ts';
import type { ConnectionState } from '../log/connectionState.ts';
import { VERSION } from '../log/entry.ts';
import { toLogEntry, type LogEntry } from '../log/publicEntry.ts';
import { parseFilter } from '../timeline/filter.ts';
import { awaitActivity, type Activity } from './activity.ts';
import type { ConnectOptions, Workspace } from './workspace.ts';

export interface Reprise {
  readonly version: string;
  /** The log is restored, and a reconnect was tried if there was a session. */
  readonly ready: Promise<void>;
  connect(url: string, options?: ConnectOptions): Promise<ConnectionState>;
  disconnect(options?: { forget?: boolean }): Promise<void>;
  select(server: string): void;
  state(): ConnectionState;
  tools(): Promise<readonly Tool[]>;
  call(tool: string, args?: object, options?: { timeoutMs?: number }): Promise<string>;
  cancel(callId: string): Promise<void>;
  calls(): readonly Call[];
  answer(requestId: string, result: object): Promise<void>;
  /** Refuses a question with a JSON-RPC error; an elicitation is better answered with `{ action: 'decline' }`. */
  decline(requestId: string): Promise<void>;
  awaitActivity(options?: { timeoutMs?: number; since?: string }): Promise<Activity>;
  entries(filter?: string): Promise<readonly LogEntry[]>;
  exportLog(): Promise<string>;
}

export function createReprise(workspace: Workspace, version: string, ready: Promise<void>): Reprise {
  const entries = async (): Promise<readonly LogEntry[]> => {
    const tab = workspace.selected;
    return tab ? (await tab.entries()).map((entry) => toLogEntry(tab.id, entry)) : [];
  };
  return {
    version,
    ready,
    connect: (url, options) => workspace.connect(url, options),
    disconnect: (options) => workspace.disconnect(options),
    select: (server) => {
      workspace.select(server);
    },
    state: () => workspace.selected?.state ?? { name: 'idle' },
    async tools() {
      const tab = workspace.requireSelected();
      await tab.execute({ name: 'lists' });
      return tab.lists.tools;
    },
    async call(tool, args = {}, options = {}) {
      // What a page keeps must be plain data: a function or a cycle in it would be found out only when it is stored.
      const plain = JSON.parse(JSON.stringify(args)) as object;
      const id = await workspace.requireSelected().execute({ name: 'call', tool, args: plain, options });
      return String(id);
    },
    async cancel(callId) {
      await workspace.requireSelected().execute({ name: 'cancel', callId });
    },
    calls: () => [...(workspace.selected?.log.head.calls.values() ?? [])],
    async answer(requestId, result) {
      await workspace.requireSelected().execute({ name: 'answer', requestId, result });
    },
    async decline(requestId) {
      await workspace.requireSelected().execute({ name: 'decline', requestId });
    },
    awaitActivity: (options) => awaitActivity(workspace.tabs, options),
    async entries(filter) {
      const all = await entries();
      return filter === undefined || filter.trim() === '' ? all : all.filter(parseFilter(filter));
    },
    async exportLog() {
      const tab = workspace.requireSelected();
      const all = await entries();
      return JSON.stringify({
        format: 'reprise-log',
        version: VERSION,
        server: tab.id,
        url: tab.url,
        entries: all,
      });
    },
  };
}
