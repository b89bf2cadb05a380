/** An entry of a file, looked at before it is believed: a file may come from anywhere. */
import { isObject, stringField, type JsonObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Entry, EntryBody } from '../../log/entry.ts';

type Type = 'string' | 'number' | 'boolean' | 'object' | 'texts' | 'string?' | 'number?' | 'texts?';

const FIELDS: Readonly<Record<EntryBody['kind'], Readonly<Record<string, Type>>>> = {
  load: { reason: 'string', pageLeftAt: 'number?' },
  state: { state: 'object' },
  session: { protocolVersion: 'string', serverName: 'string' },
  era: { era: 'string', protocolVersion: 'string', why: 'string' },
  task: { taskId: 'string', callId: 'string', change: 'object' },
  call: { callId: 'string', change: 'object' },
  question: { requestId: 'string', change: 'object' },
  sent: { stream: 'string', eventId: 'string?', callId: 'string?', method: 'string?', message: 'object' },
  received: { stream: 'string', eventId: 'string?', callId: 'string?', method: 'string?', message: 'object' },
  position: { stream: 'string', eventId: 'string', callId: 'string?' },
  duplicate: { stream: 'string', eventId: 'string', callId: 'string?' },
  malformed: { stream: 'string', eventId: 'string?', callId: 'string?', why: 'string', excerpt: 'string' },
  http: {
    stream: 'string',
    callId: 'string?',
    method: 'string',
    url: 'string',
    status: 'number',
    durationMs: 'number',
    requestHeaders: 'texts',
    responseHeaders: 'texts',
  },
  'stream-end': { stream: 'string', callId: 'string?', how: 'string', why: 'string?' },
  auth: {
    step: 'string',
    method: 'string?',
    url: 'string?',
    status: 'number?',
    sent: 'texts?',
    answer: 'string?',
    problem: 'string?',
  },
  note: { level: 'string', text: 'string' },
};

/** What a member of a union must have beside its name. */
const STATES: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  idle: {},
  connecting: { url: 'string' },
  authorizing: { why: 'string' },
  connected: { how: 'string', note: 'string?' },
  reconnecting: { attempt: 'number', retryAt: 'number', why: 'string' },
  disconnected: { why: 'string' },
  failed: { why: 'string', fix: 'string' },
};
const ENDED = { why: 'string' } as const;
const CHANGES: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  sending: { tool: 'string', args: 'object', timeoutMs: 'number' },
  open: {},
  retrying: {},
  ended: ENDED,
  cancelled: ENDED,
  lost: ENDED,
  unknown: ENDED,
  expired: ENDED,
  failed: { error: 'object' },
  answered: {},
};

export function importedEntry(value: unknown): Result<Entry, string> {
  if (!isObject(value)) return err('it is not an object');
  const stamp = missing(value, { seq: 'number', at: 'number', load: 'number', kind: 'string' });
  if (stamp !== undefined) return err(stamp);
  const kind = value['kind'] as EntryBody['kind'];
  const fields = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (!fields) return err(`its kind “${kind.slice(0, 40)}” is not known here`);
  const wrong = missing(value, fields) ?? wrongInside(kind, value);
  if (wrong !== undefined) return err(wrong);
  const names = ['seq', 'at', 'load', 'kind', 'replayed', ...Object.keys(fields)];
  const known = Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]));
  const { message, ...rest } = known;
  const entry: object = message === undefined ? rest : { ...rest, raw: JSON.stringify(message) };
  // Every field was looked at above.
  return ok(entry as Entry);
}

function wrongInside(kind: string, value: JsonObject): string | undefined {
  if (kind === 'state') return wrongMember(value['state'], STATES, 'state');
  if (kind === 'call' || kind === 'question' || kind === 'task')
    return wrongMember(value['change'], CHANGES, 'change');
  return undefined;
}

function wrongMember(
  value: unknown,
  members: Readonly<Record<string, Readonly<Record<string, Type>>>>,
  what: string,
): string | undefined {
  const name = stringField(value, 'name') ?? '';
  const fields = Object.hasOwn(members, name) ? members[name] : undefined;
  return fields && isObject(value)
    ? missing(value, fields)
    : `its ${what} “${name.slice(0, 40)}” is not known here`;
}

function missing(value: JsonObject, fields: Readonly<Record<string, Type>>): string | undefined {
  for (const [name, type] of Object.entries(fields)) {
    if (!isOfType(value[name], type))
      return `its “${name}” is missing or is not a ${type.replace(/\?$/, '')}`;
  }
  return undefined;
}

function isOfType(value: unknown, type: Type): boolean {
  switch (type) {
    case 'string?':
    case 'number?':
    case 'texts?':
      return value === undefined || isOfType(value, type.slice(0, -1) as Type);
    case 'texts':
      return isObject(value) && Object.values(value).every((one) => typeof one === 'string');
    case 'object':
      return isObject(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
  }
}
