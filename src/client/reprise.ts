/** `window.reprise`: what the console, the harness and people's own tests are given. */
import type { Tool } from '@modelcontextprotocol/client';
import { isToolCall, type Call } from '../log/call.ts';
import type { ConnectionState } from '../log/connectionState.ts';
import type { LogEntry } from '../log/publicEntry.ts';
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
  /** After `timeoutMs` it goes on in the background for `backgroundMs`: without options 2 minutes, then 5. */
  call(tool: string, args?: object, options?: { timeoutMs?: number; backgroundMs?: number }): Promise<string>;
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
  // Few pages ask for entries by script: what finds and prints them is loaded for those that do.
  const find = async (filter: string): Promise<readonly LogEntry[]> => {
    const tab = workspace.selected;
    return tab ? (await import('./findEntries.ts')).findEntries(tab, filter) : [];
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
    calls: () => [...(workspace.selected?.log.head.calls.values() ?? [])].filter(isToolCall),
    async answer(requestId, result) {
      await workspace.requireSelected().execute({ name: 'answer', requestId, result });
    },
    async decline(requestId) {
      await workspace.requireSelected().execute({ name: 'decline', requestId });
    },
    awaitActivity: (options) => awaitActivity(workspace.tabs, options),
    entries: (filter = '') => find(filter),
    async exportLog() {
      const tab = workspace.requireSelected();
      return (await import('./findEntries.ts')).exportLog(tab);
    },
  };
}
