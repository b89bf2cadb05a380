/** `awaitActivity`: one call that the page, the console and the Playwright fixtures wait with. */
import { isOpen, isToolCall, type Call } from '../log/call.ts';
import type { Entry } from '../log/entry.ts';
import { toLogEntry, type LogEntry } from '../log/publicEntry.ts';
import type { Question } from '../log/question.ts';
import { TASK_METHODS } from '../log/receivedTask.ts';
import type { ServerTab } from './serverTab.ts';
import { withServer, type NamedServer } from './withServer.ts';

export interface Trigger extends Partial<NamedServer> {
  readonly type: 'immediate' | 'event' | 'timeout' | 'server_disconnected';
  readonly eventType?: string;
}

export interface Activity {
  readonly triggers: readonly Trigger[];
  readonly events: readonly (NamedServer & { readonly events: readonly LogEntry[] })[];
  readonly pendingServer: readonly (NamedServer & { readonly calls: readonly (Call & NamedServer)[] })[];
  readonly pendingClient: {
    readonly elicitations: readonly (Question & NamedServer)[];
    readonly samplingRequests: readonly (Question & NamedServer)[];
  };
  readonly lastEventId?: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export function awaitActivity(
  tabs: readonly ServerTab[],
  { timeoutMs = DEFAULT_TIMEOUT_MS, since }: { timeoutMs?: number; since?: string } = {},
): Promise<Activity> {
  const from = parsePosition(since) ?? position(tabs);
  const known = news(tabs, from);
  if (known.size > 0) {
    return Promise.resolve(describe(tabs, known, [{ type: 'immediate' }]));
  }
  return new Promise((resolve) => {
    const undo: (() => void)[] = [];
    const finish = (triggers: readonly Trigger[]): void => {
      for (const stop of undo) stop();
      resolve(describe(tabs, news(tabs, from), triggers));
    };
    const timer = setTimeout(() => {
      finish([{ type: 'timeout' }]);
    }, timeoutMs);
    undo.push(() => {
      clearTimeout(timer);
    });
    for (const tab of tabs) {
      undo.push(
        tab.log.appended.on((entries) => {
          const waking = entries.find(wakes);
          if (waking) finish([triggerOf(tab, waking)]);
        }),
      );
    }
  });
}

/** Log messages and bookkeeping do not wake anybody: they are read on demand. */
function wakes(entry: Entry): boolean {
  switch (entry.kind) {
    case 'received':
      return entry.method !== 'notifications/message' && !TASK_METHODS.has(entry.method ?? '');
    case 'call':
      return entry.change.name !== 'sending' && entry.change.name !== 'open';
    case 'state':
      return entry.state.name === 'disconnected' || entry.state.name === 'failed';
    case 'question':
      return entry.change.name !== 'answering' && entry.change.name !== 'task';
    default:
      return false;
  }
}

function triggerOf(tab: ServerTab, entry: Entry): Trigger {
  if (entry.kind === 'state') return withServer(tab, { type: 'server_disconnected' });
  const eventType = entry.kind === 'received' ? (entry.method ?? 'response') : entry.kind;
  return withServer(tab, { type: 'event', eventType });
}

type Position = ReadonlyMap<string, number>;

function position(tabs: readonly ServerTab[]): Position {
  return new Map(tabs.map(({ id, log }) => [id, log.head.nextSeq - 1]));
}

function news(tabs: readonly ServerTab[], from: Position): ReadonlyMap<ServerTab, readonly Entry[]> {
  const found = new Map<ServerTab, readonly Entry[]>();
  for (const tab of tabs) {
    const after = from.get(tab.id) ?? 0;
    const entries = tab.log.tail.filter((entry) => entry.seq > after && wakes(entry));
    if (entries.length > 0) found.set(tab, entries);
  }
  return found;
}

function describe(
  tabs: readonly ServerTab[],
  found: ReadonlyMap<ServerTab, readonly Entry[]>,
  triggers: readonly Trigger[],
): Activity {
  const questions = tabs.flatMap((tab) =>
    [...tab.log.head.questions.values()].map((question) => withServer(tab, question)),
  );
  return {
    triggers,
    events: [...found].map(([tab, entries]) =>
      withServer(tab, {
        events: entries.map((entry) => withServer(tab, toLogEntry(tab.name, entry))),
      }),
    ),
    pendingServer: tabs
      .map((tab) =>
        withServer(tab, {
          calls: [...tab.log.head.calls.values()]
            .filter((call) => isOpen(call) && isToolCall(call))
            .map((call) => withServer(tab, call)),
        }),
      )
      .filter(({ calls }) => calls.length > 0),
    pendingClient: {
      elicitations: questions.filter(({ method }) => method === 'elicitation/create'),
      samplingRequests: questions.filter(({ method }) => method === 'sampling/createMessage'),
    },
    lastEventId: printPosition(position(tabs)),
  };
}

function printPosition(position: Position): string {
  return new URLSearchParams([...position].map(([id, seq]) => [id, String(seq)])).toString();
}

function parsePosition(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined;
  return new Map([...new URLSearchParams(text)].map(([id, seq]) => [id, Number(seq)]));
}
