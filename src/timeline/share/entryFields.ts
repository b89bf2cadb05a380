/** The fields of what entries hold, each checked against its own union: a file may come from anywhere. */
import type {
  AppFinding,
  AppStep,
  AuthStep,
  CallChange,
  QuestionChange,
  StreamEnd,
  TaskChange,
} from '../../log/entry/entry.ts';
import type { AskedMethod } from '../../log/state/call.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import type { SessionsFound } from '../../log/protocol/era.ts';
import {
  count,
  durationMs,
  flag,
  integer,
  json,
  oneOf,
  optional,
  record,
  text,
  time,
  union,
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
    meta: optional(json),
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

export const state = union(STATES);
export const callChange = union(CALL_CHANGES);
export const questionChange = union(QUESTION_CHANGES);
export const taskChange = union(TASK_CHANGES);

export const sessionsFound = record({
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
});

export const streamEnd = anyOf<StreamEnd>({
  answered: true,
  closed: true,
  broken: true,
  released: true,
  refused: true,
});
export const appStep = anyOf<AppStep>({
  opened: true,
  sent: true,
  received: true,
  finding: true,
  closed: true,
});
export const appFinding = anyOf<AppFinding>({
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
export const authStep = anyOf<AuthStep>({
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
export const httpMethod = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');

/** The text of a message is given as what it says. */
export const messageFields = {
  stream: text,
  eventId: optional(text),
  replayed: optional(oneOf(true)),
  callId: optional(text),
  method: optional(text),
  message: json,
};
