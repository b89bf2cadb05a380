/** How each kind of entry is drawn and filtered: one row for each, and one that is missing does not compile. */
import { duration } from '../base/format.ts';
import type { ConnectionState } from '../log/state/connectionState.ts';
import { STANDALONE, type Entry } from '../log/entry/entry.ts';
import { reasonOf, type EntryKind, type EntryOf } from '../log/entry/entryKinds.ts';
import { QUESTION_METHODS } from '../log/state/question.ts';
import { reasonText } from '../log/reasons/reasonText.ts';
import { costText } from '../log/reasons/stateText.ts';
import { appLine } from './appLine.ts';
import { callLine, questionLine } from './changeLines.ts';
import type { DrawnKind, EntryLine, LaneKind, Mark } from './drawnKind.ts';
import { gistOf } from './messageGist.ts';
import { isRefused } from './refusal.ts';

const plain = (): Mark => 'plain';
const never = () => false;
const none = () => undefined;
/** A line that needs no attention, in this lane. */
const quiet = (lane: LaneKind) => ({ lane: () => lane, mark: plain, isError: never, why: none });

const MESSAGE = { lane: laneOfMessage, isError: never, why: none };

const DRAWN_KINDS: { readonly [K in EntryKind]: DrawnKind<EntryOf<K>> } = {
  load: {
    ...quiet('page'),
    line: ({ load, reason }) => ({
      label: `Page load ${load}`,
      gist: reason !== 'opened' ? 'this tab became the owner' : load > 1 ? 'page reloaded' : 'page loaded',
    }),
  },
  state: {
    ...quiet('connection'),
    isError: ({ state }) => state.name === 'failed',
    line: ({ state }) => ({ label: state.name, gist: wordsOf(state), tone: toneOf(state) }),
  },
  session: {
    ...quiet('connection'),
    line: ({ serverName, protocolVersion }) => ({
      label: serverName,
      gist: `MCP ${protocolVersion}`,
    }),
  },
  era: {
    ...quiet('connection'),
    line: ({ era, reason }) => ({ kind: 'protocol', label: era, gist: reasonText(reason) }),
  },
  task: {
    ...quiet('tasks'),
    line: ({ change }) => ({
      label: change.name,
      mark: 'lost',
      gist: reasonText(change.reason),
      tone: 'look',
    }),
  },
  call: {
    lane: () => 'calls',
    mark: ({ change: { name } }) => {
      if (name === 'lost' || name === 'expired') return 'lost';
      return name === 'unknown' ? 'unknown' : 'plain';
    },
    isError: ({ change }) => ['failed', 'lost', 'unknown', 'expired', 'ran-again'].includes(change.name),
    line: callLine,
    why: (entry) => (entry.change.name === 'failed' ? undefined : sentenceOf(entry)),
  },
  question: {
    lane: () => 'questions',
    mark: ({ change: { name } }) => {
      if (name === 'answering' || name === 'task') return 'plain';
      return name === 'expired' ? 'lost' : 'answered';
    },
    isError: ({ change }) => change.name === 'expired',
    line: ({ change }) => questionLine(change),
    why: sentenceOf,
  },
  sent: {
    ...MESSAGE,
    mark: () => 'sent',
    line: (entry) => ({ label: entry.method ?? 'response', gist: gistOf(entry) }),
  },
  received: {
    ...MESSAGE,
    mark: ({ method, replayed }) => {
      if (replayed) return 'replayed';
      return method !== undefined && QUESTION_METHODS.has(method) ? 'waiting' : 'live';
    },
    line: (entry) => ({
      kind: entry.replayed ? 'replayed' : 'received',
      label: entry.method ?? 'response',
      gist: gistOf(entry),
    }),
    why: ({ replayed }) =>
      replayed ? 'Sent while no page was loaded, and replayed when the stream was resumed.' : undefined,
  },
  position: { ...MESSAGE, mark: plain, line: ({ eventId }) => ({ kind: 'event ID', label: eventId }) },
  duplicate: {
    ...MESSAGE,
    mark: () => 'duplicate',
    line: ({ eventId }) => ({ label: 'dropped', gist: `event ${eventId} already received` }),
    why: ({ eventId }) => `Duplicate: event ${eventId} was already received, so it was dropped.`,
  },
  malformed: {
    lane: laneOfMessage,
    mark: () => 'lost',
    isError: () => true,
    line: ({ reason, excerpt }) => ({
      kind: 'invalid',
      label: reasonText(reason),
      gist: excerpt.slice(0, 160),
      tone: 'bad',
    }),
    why: sentenceOf,
  },
  http: {
    ...MESSAGE,
    mark: plain,
    isError: isRefused,
    line: (entry) => ({
      label: `${entry.method} ${entry.status}`,
      gist: duration(entry.durationMs),
      tone: isRefused(entry) ? 'look' : 'plain',
    }),
  },
  'stream-end': {
    ...MESSAGE,
    mark: plain,
    isError: hasFailed,
    line: (entry) => ({
      kind: 'stream',
      label: entry.how,
      gist: reasonText(entry.reason),
      tone: hasFailed(entry) ? 'look' : 'plain',
    }),
    why: sentenceOf,
  },
  auth: {
    ...quiet('auth'),
    isError: ({ reason }) => reason !== undefined,
    line: (entry) => ({
      label: entry.step,
      gist: entry.reason ? reasonText(entry.reason) : authGist(entry),
      tone: entry.reason ? 'look' : 'plain',
    }),
  },
  app: {
    ...quiet('app'),
    mark: ({ step }) => (step === 'sent' ? 'sent' : step === 'received' ? 'live' : 'plain'),
    isError: ({ step }) => step === 'finding',
    line: appLine,
  },
  note: {
    ...quiet('notes'),
    isError: ({ level }) => level !== 'info',
    line: ({ level, reason }) => ({
      label: level,
      gist: reasonText(reason),
      tone: level === 'info' ? 'plain' : 'look',
    }),
  },
};

export const drawnKindOf = (entry: Entry): DrawnKind<Entry> => DRAWN_KINDS[entry.kind];

/** Of what belongs to a stream: the method tells more than the stream. */
function laneOfMessage(entry: {
  readonly stream: string;
  readonly callId?: string;
  method?: string;
}): LaneKind {
  const { method = '', callId, stream } = entry;
  if (QUESTION_METHODS.has(method)) return 'questions';
  if (method.startsWith('tasks/') || method.startsWith('notifications/tasks/')) return 'tasks';
  if (callId !== undefined) return 'calls';
  return stream === STANDALONE ? 'stream' : 'requests';
}

function sentenceOf(entry: Entry): string | undefined {
  const reason = reasonOf(entry);
  return reason && reasonText(reason);
}

function hasFailed({ how }: EntryOf<'stream-end'>): boolean {
  return how === 'broken' || how === 'refused';
}

function authGist({ method, status, url = '' }: EntryOf<'auth'>): string {
  return [method, status, url].filter((part) => part !== undefined && part !== '').join(' ');
}

function wordsOf(state: ConnectionState): string {
  if (state.name === 'connected') return costText(state) ?? state.how;
  return 'reason' in state ? reasonText(state.reason) : '';
}

function toneOf(state: ConnectionState): EntryLine['tone'] {
  if (state.name === 'failed') return 'bad';
  return state.name === 'reconnecting' ? 'look' : 'plain';
}
