/** An entry of a file, checked kind by kind against its own union before it is used: a file may come from anywhere. */
import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type {
  AppFinding,
  AppStep,
  AuthStep,
  CallChange,
  Entry,
  EntryBody,
  QuestionChange,
  StreamEnd,
  TaskChange,
} from '../../log/entry.ts';
import type { AskedMethod } from '../../log/call.ts';
import type { ConnectionState } from '../../log/connectionState.ts';
import type { SessionsFound } from '../../log/era.ts';
import {
  count,
  durationMs,
  flag,
  integer,
  json,
  oneOf,
  optional,
  readFields,
  record,
  text,
  texts,
  time,
  union,
  type Fields,
  type FieldType,
} from './fieldTypes.ts';
import { anyOf, reason, reasonWith, returnCost } from './reasonType.ts';

/** The fields of each member of a union that is told apart by `name`: one that is missing here does not compile. */
type NamedFields<Union extends { readonly name: string }> = {
  readonly [N in Union['name']]: Readonly<Record<Exclude<keyof Named<Union, N>, 'name'>, FieldType>>;
};
type Named<Union, N> = Union extends { readonly name: infer M } ? (N extends M ? Union : never) : never;

const BECAUSE = { reason };

type Asked = Extract<ConnectionState, { readonly name: 'authorizing' }>['ask'];

const STATES: NamedFields<ConnectionState> = {
  idle: {},
  connecting: { url: text },
  authorizing: { ...BECAUSE, ask: anyOf<Asked>({ login: true, client: true, credentials: true }) },
  connected: {
    how: oneOf('fresh', 'resumed', 'restarted'),
    recovered: optional(count),
    reason: optional(reason),
    cost: optional(returnCost),
  },
  reconnecting: { attempt: count, retryAt: time, ...BECAUSE },
  disconnected: BECAUSE,
  failed: {
    ...BECAUSE,
    paste: optional(text),
    elsewhere: optional(text),
    isElsewhereOldSse: optional(flag),
  },
};

const CALL_CHANGES: NamedFields<CallChange> = {
  sending: {
    method: optional(
      anyOf<AskedMethod>({ 'prompts/get': true, 'resources/read': true, 'tasks/result': true }),
    ),
    tool: text,
    args: json,
    key: optional(text),
    timeoutMs: optional(durationMs),
    backgroundMs: optional(durationMs),
    repeatable: flag,
    era: optional(oneOf('stateless')),
    appOf: optional(text),
  },
  open: {},
  retrying: {},
  background: {},
  forgotten: {},
  'ran-again': {
    runs: count,
    reason: reasonWith('progress-went-back', 'progress-doubled', 'second-response', 'recorded'),
  },
  cancelled: BECAUSE,
  lost: BECAUSE,
  unknown: BECAUSE,
  expired: BECAUSE,
  failed: { error: record({ code: integer, message: optional(text) }), reason },
};

const QUESTION_CHANGES: NamedFields<QuestionChange> = {
  answering: { reason: optional(reason) },
  task: { taskId: text, ttlMs: durationMs },
  answered: {
    response: optional(json),
    error: optional(record({ code: integer, message: text })),
    reason: optional(reason),
  },
  cancelled: BECAUSE,
  completed: {},
  expired: BECAUSE,
};

const TASK_CHANGES: NamedFields<TaskChange> = { ended: BECAUSE };

const STREAM_END = anyOf<StreamEnd>({
  answered: true,
  closed: true,
  broken: true,
  released: true,
  refused: true,
});
const AUTH_STEP = anyOf<AuthStep>({
  challenge: true,
  resource: true,
  issuer: true,
  registration: true,
  login: true,
  callback: true,
  token: true,
  refresh: true,
  logout: true,
});
const APP_STEP = anyOf<AppStep>({ opened: true, sent: true, received: true, finding: true, closed: true });
const APP_FINDING = anyOf<AppFinding>({
  csp: true,
  storage: true,
  popup: true,
  'too-many-messages': true,
  'message-too-big': true,
  'not-initialized': true,
  'tool-refused': true,
  'called-again': true,
  'document-changed': true,
});
const HTTP_METHOD = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');

const MESSAGE = {
  stream: text,
  eventId: optional(text),
  replayed: optional(oneOf(true)),
  callId: optional(text),
  method: optional(text),
  message: json,
};

type Body<K extends EntryBody['kind']> = Extract<EntryBody, { readonly kind: K }>;
/** The fields of each kind, so that a field that is added to an entry must be named here; a message is text there. */
type KindFields = {
  readonly [K in EntryBody['kind']]: Readonly<
    Record<
      Exclude<keyof Body<K>, 'kind' | 'raw'> | ('raw' extends keyof Body<K> ? 'message' : never),
      FieldType
    >
  >;
};

const KINDS: KindFields = {
  load: { reason: oneOf('opened', 'took over'), pageLeftAt: optional(time) },
  state: { state: union(STATES) },
  session: { protocolVersion: text, serverName: text },
  era: {
    era: oneOf('session', 'stateless'),
    protocolVersion: text,
    transport: optional(oneOf('sse')),
    reason,
    sessions: optional(
      record({
        name: anyOf<SessionsFound['name']>({
          resumable: true,
          refused: true,
          'no-event-ids': true,
          none: true,
          untried: true,
          unknown: true,
        }),
        checkedAt: time,
        server: text,
      }),
    ),
  },
  task: { taskId: text, callId: text, change: union(TASK_CHANGES) },
  call: { callId: text, change: union(CALL_CHANGES) },
  question: { requestId: text, change: union(QUESTION_CHANGES) },
  sent: MESSAGE,
  received: MESSAGE,
  position: { stream: text, eventId: text, callId: optional(text) },
  duplicate: { stream: text, eventId: text, callId: optional(text) },
  malformed: {
    stream: text,
    eventId: optional(text),
    callId: optional(text),
    reason,
    excerpt: text,
  },
  http: {
    stream: text,
    callId: optional(text),
    responseTo: optional(text),
    method: HTTP_METHOD,
    url: text,
    status: count,
    durationMs,
    requestHeaders: texts,
    responseHeaders: texts,
  },
  'stream-end': {
    stream: text,
    callId: optional(text),
    how: STREAM_END,
    reason: optional(reason),
  },
  auth: {
    step: AUTH_STEP,
    method: optional(HTTP_METHOD),
    url: optional(text),
    status: optional(count),
    sent: optional(texts),
    answer: optional(text),
    reason: optional(reason),
  },
  app: {
    callId: text,
    view: text,
    step: APP_STEP,
    method: optional(text),
    appText: optional(text),
    more: optional(count),
    finding: optional(APP_FINDING),
    uri: optional(text),
    sha256: optional(text),
    origin: optional(oneOf('own', 'opaque')),
  },
  note: { level: oneOf('info', 'warn', 'error'), reason, removedThrough: optional(count) },
};

const STAMP: Fields = { seq: count, at: time, load: count, kind: text };

export function importedEntry(value: unknown): Result<Entry, string> {
  if (!isObject(value)) return err('it is not an object');
  const stamp = readFields(value, STAMP);
  if (!stamp.ok) return err(stamp.error);
  const kind = value['kind'] as EntryBody['kind'];
  if (!Object.hasOwn(KINDS, kind)) return err(`its kind “${kind.slice(0, 40)}” is not known here`);
  const body = readFields(value, KINDS[kind]);
  if (!body.ok) return err(body.error);
  const { message, ...rest } = body.value;
  const raw = message === undefined ? {} : { raw: JSON.stringify(message) };
  const entry: object = { ...stamp.value, ...rest, ...raw };
  // Every field was checked above.
  return ok(entry as Entry);
}
