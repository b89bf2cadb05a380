/**
 * What every kind of entry needs to be kept. The first of three tables with a row for each kind: the others say how a
 * kind is drawn (`timeline/entryKinds.ts`) and what a file holds of it (`timeline/share/entryKinds.ts`). A kind that
 * is missing in one of them does not compile.
 */
import type { Entry, EntryBody } from './entry.ts';
import { codeOf, type Reason } from '../reasons/reason.ts';
import { TASK_METHODS } from '../state/receivedTask.ts';

export type EntryKind = EntryBody['kind'];
export type EntryOf<K extends EntryKind> = Extract<Entry, { readonly kind: K }>;
/** An entry that holds a JSON-RPC message as text. */
export type MessageEntry = Extract<Entry, { readonly raw: string }>;

interface KeptKind<E extends Entry> {
  /** Its text counts for the size in storage, is redacted as JSON, and is shown parsed. */
  readonly carriesMessage: E extends MessageEntry ? true : false;
  /** Its recorder redacts it, as each message where it is parsed. All others are redacted when they are appended. */
  readonly isRedacted: E extends MessageEntry ? true : boolean;
  /** Why it is as it is: for the filter, scripts and the list. */
  reason(entry: E): Reason | undefined;
  /** Its event type for `awaitActivity`. Without one, it does not end a wait: it is read on demand. */
  activity(entry: E): string | undefined;
}

const none = () => undefined;
const ownReason = (entry: { readonly reason?: Reason }) => entry.reason;
const reasonOfChange = ({ change }: { readonly change: object }): Reason | undefined =>
  'reason' in change ? (change.reason as Reason | undefined) : undefined;

const PLAIN = { carriesMessage: false, isRedacted: false, reason: none, activity: none } as const;
const BECAUSE = { ...PLAIN, reason: ownReason } as const;
const MESSAGE = { carriesMessage: true, isRedacted: true, reason: none, activity: none } as const;

const KEPT_KINDS: { readonly [K in EntryKind]: KeptKind<EntryOf<K>> } = {
  load: PLAIN,
  state: { ...PLAIN, reason: ({ state }) => ('reason' in state ? state.reason : undefined) },
  session: PLAIN,
  era: BECAUSE,
  task: { ...PLAIN, reason: reasonOfChange },
  call: {
    ...PLAIN,
    reason: reasonOfChange,
    activity: ({ change: { name } }) => (name === 'sending' || name === 'open' ? undefined : 'call'),
  },
  question: {
    ...PLAIN,
    reason: reasonOfChange,
    activity: ({ change: { name } }) => (name === 'answering' || name === 'task' ? undefined : 'question'),
  },
  sent: MESSAGE,
  received: {
    ...MESSAGE,
    activity: ({ method = 'response' }) => (isQuiet(method) ? undefined : method),
  },
  position: PLAIN,
  duplicate: PLAIN,
  malformed: BECAUSE,
  http: { ...PLAIN, isRedacted: true },
  'stream-end': BECAUSE,
  auth: BECAUSE,
  app: PLAIN,
  note: BECAUSE,
};

/** Log messages, and what the server polls for a task that it asked for. */
function isQuiet(method: string): boolean {
  return method === 'notifications/message' || TASK_METHODS.has(method);
}

const kindOf = (entry: Entry): KeptKind<Entry> => KEPT_KINDS[entry.kind];

export const isRedactedByRecorder = (body: EntryBody): boolean => KEPT_KINDS[body.kind].isRedacted;
export function carriesMessage<Body extends EntryBody>(
  body: Body,
): body is Extract<Body, { readonly raw: string }> {
  return KEPT_KINDS[body.kind].carriesMessage;
}
export const reasonOf = (entry: Entry): Reason | undefined => kindOf(entry).reason(entry);
/** What `reason:` of the filter compares with. A page load has a word of its own. */
export function reasonCodeOf(entry: Entry): string | undefined {
  if (entry.kind === 'load') return entry.reason;
  const reason = reasonOf(entry);
  return reason && codeOf(reason);
}
export const activityOf = (entry: Entry): string | undefined => kindOf(entry).activity(entry);
/** Records of storage and of files may be of a kind that another version has. */
export const isEntryKind = (kind: unknown): kind is EntryKind =>
  typeof kind === 'string' && Object.hasOwn(KEPT_KINDS, kind);
