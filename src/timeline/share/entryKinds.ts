/** What a file holds of each kind of entry: one row for each, and one that is missing does not compile. */
import type { Entry, EntryBody } from '../../log/entry/entry.ts';
import type { EntryKind, EntryOf } from '../../log/entry/entryKinds.ts';
import {
  bareCall,
  bareHeaders,
  bareOptional,
  bareQuestion,
  bareState,
  idsOf,
  LEFT_OUT,
  version,
  withoutQuery,
} from './bareParts.ts';
import { bareReason } from './bareReason.ts';
import {
  arrow,
  callStep,
  httpStep,
  note,
  receivedStep,
  sentStep,
  stateStep,
  type Step,
} from './diagramSteps.ts';
import {
  appFinding,
  appStep,
  authStep,
  callChange,
  httpMethod,
  messageFields,
  questionChange,
  sessionsFound,
  state,
  streamEnd,
  taskChange,
} from './entryFields.ts';
import { count, durationMs, oneOf, optional, text, texts, time, type FieldType } from './fieldTypes.ts';
import type { HarExchanges } from './harExchanges.ts';
import { reason } from './reasonType.ts';

type BodyOf<K extends EntryKind> = Extract<EntryBody, { readonly kind: K }>;
/** A field that is added to an entry must be named here. */
type FieldsOf<Body> = Readonly<
  Record<Exclude<keyof Body, 'kind' | 'raw'> | ('raw' extends keyof Body ? 'message' : never), FieldType>
>;

interface FileKind<E extends Entry, Body> {
  /** Imported: each field with its type. */
  readonly fields: FieldsOf<Body>;
  /** Exported without content: what stays of it. */
  bare(entry: E): EntryBody;
  /** Exported as HAR: what it says of an HTTP exchange. */
  har(har: HarExchanges, entry: E): void;
  /** Exported as a sequence diagram. */
  step(entry: E): Step | undefined;
}

const none = () => undefined;
const NOT_SHOWN = { har: none, step: none };

export const FILE_KINDS: { readonly [K in EntryKind]: FileKind<EntryOf<K>, BodyOf<K>> } = {
  load: {
    fields: { reason: oneOf('opened', 'took over'), pageLeftAt: optional(time) },
    bare: ({ kind, reason, pageLeftAt }) => ({
      kind,
      reason,
      ...(pageLeftAt !== undefined && { pageLeftAt }),
    }),
    har: (har, entry) => har.load(entry),
    step: none,
  },
  state: {
    fields: { state },
    bare: ({ kind, state }) => ({ kind, state: bareState(state) }),
    har: none,
    step: stateStep,
  },
  session: {
    fields: { protocolVersion: text, serverName: text },
    bare: ({ kind, protocolVersion }) => ({
      kind,
      protocolVersion: version(protocolVersion),
      serverName: LEFT_OUT,
    }),
    har: none,
    step: ({ protocolVersion }) => note('all', `New session (MCP ${protocolVersion})`),
  },
  era: {
    fields: {
      era: oneOf('session', 'stateless'),
      protocolVersion: text,
      transport: optional(oneOf('sse')),
      reason,
      sessions: optional(sessionsFound),
    },
    bare: ({ kind, era, transport, protocolVersion, reason }) => ({
      kind,
      era,
      protocolVersion: version(protocolVersion),
      ...(transport && { transport }),
      reason: bareReason(reason),
    }),
    ...NOT_SHOWN,
  },
  task: {
    fields: { taskId: text, callId: text, change: taskChange },
    bare: ({ kind, taskId, callId, change: { name, reason } }) => ({
      kind,
      taskId,
      callId,
      change: { name, reason: bareReason(reason) },
    }),
    ...NOT_SHOWN,
  },
  call: {
    fields: { callId: text, change: callChange },
    bare: ({ kind, callId, change }) => ({ kind, callId, change: bareCall(change) }),
    har: none,
    step: callStep,
  },
  question: {
    fields: { requestId: text, change: questionChange },
    bare: ({ kind, requestId, change }) => ({ kind, requestId, change: bareQuestion(change) }),
    ...NOT_SHOWN,
  },
  sent: {
    fields: messageFields,
    bare: bareMessage,
    har: (har, entry) => har.sent(entry),
    step: sentStep,
  },
  received: {
    fields: messageFields,
    bare: bareMessage,
    har: (har, entry) => har.received(entry),
    step: receivedStep,
  },
  position: {
    fields: { stream: text, eventId: text, callId: optional(text) },
    bare: bareEvent,
    ...NOT_SHOWN,
  },
  duplicate: {
    fields: { stream: text, eventId: text, callId: optional(text) },
    bare: bareEvent,
    har: none,
    step: ({ eventId }) => arrow('server', 'lost', `event ${eventId} again (duplicate, dropped)`),
  },
  malformed: {
    fields: { stream: text, eventId: optional(text), callId: optional(text), reason, excerpt: text },
    bare: (entry) => ({
      kind: entry.kind,
      ...idsOf(entry),
      reason: bareReason(entry.reason),
      excerpt: '',
    }),
    har: none,
    step: () => arrow('server', 'lost', 'event that can’t be read'),
  },
  http: {
    fields: {
      stream: text,
      callId: optional(text),
      responseTo: optional(text),
      method: httpMethod,
      url: text,
      status: count,
      durationMs,
      requestHeaders: texts,
      responseHeaders: texts,
    },
    bare: (entry) => ({
      kind: entry.kind,
      ...idsOf(entry),
      method: entry.method,
      url: withoutQuery(entry.url),
      status: entry.status,
      durationMs: entry.durationMs,
      requestHeaders: bareHeaders(entry.requestHeaders),
      responseHeaders: bareHeaders(entry.responseHeaders),
    }),
    har: (har, entry) => har.http(entry),
    step: httpStep,
  },
  'stream-end': {
    fields: { stream: text, callId: optional(text), how: streamEnd, reason: optional(reason) },
    bare: (entry) => ({
      kind: entry.kind,
      ...idsOf(entry),
      how: entry.how,
      ...bareOptional(entry.reason),
    }),
    har: (har, { stream }) => har.end(stream),
    step: ({ how }) => (how === 'broken' ? arrow('server', 'lost', 'connection lost') : undefined),
  },
  auth: {
    fields: {
      step: authStep,
      method: optional(httpMethod),
      url: optional(text),
      status: optional(count),
      sent: optional(texts),
      answer: optional(text),
      reason: optional(reason),
    },
    bare: ({ kind, step, method, status, reason }) => ({
      kind,
      step,
      ...(method !== undefined && { method }),
      ...(status !== undefined && { status }),
      ...bareOptional(reason),
    }),
    ...NOT_SHOWN,
  },
  app: {
    fields: {
      callId: text,
      view: text,
      step: appStep,
      method: optional(text),
      appText: optional(text),
      more: optional(count),
      finding: optional(appFinding),
      uri: optional(text),
      sha256: optional(text),
      origin: optional(oneOf('own', 'opaque')),
    },
    bare: ({ kind, callId, view, step, method, more, finding, origin }) => ({
      kind,
      callId,
      view,
      step,
      ...(method !== undefined && { method }),
      ...(more !== undefined && { more }),
      ...(finding && { finding }),
      ...(origin && { origin }),
    }),
    ...NOT_SHOWN,
  },
  note: {
    fields: { level: oneOf('info', 'warn', 'error'), reason, removedThrough: optional(count) },
    bare: ({ kind, level, reason }) => ({ kind, level, reason: bareReason(reason) }),
    ...NOT_SHOWN,
  },
};

export const fileKindOf = (entry: Entry): FileKind<Entry, never> => FILE_KINDS[entry.kind];

function bareMessage(entry: EntryOf<'sent' | 'received'>): EntryBody {
  const { kind, method, replayed } = entry;
  const named = method === undefined ? {} : { method };
  const raw = JSON.stringify({ jsonrpc: '2.0', ...named });
  return { kind, ...idsOf(entry), ...(replayed && { replayed }), ...named, raw };
}

function bareEvent(entry: EntryOf<'position' | 'duplicate'>): EntryBody {
  return { kind: entry.kind, ...idsOf(entry), eventId: entry.eventId };
}
