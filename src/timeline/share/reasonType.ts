/** The reason of an imported entry, checked against the table of codes and facts. */
import { isObject, type JsonObject } from '../../base/json.ts';
import { REASONS, type Consequence, type Facts, type SessionsTried } from '../../log/reasons/reasonFacts.ts';
import {
  count,
  durationMs,
  flag,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  readFields,
  record,
  text,
  type Fields,
  type FieldType,
} from './fieldTypes.ts';

/** Every member of a union of names: one that is missing here does not compile. */
export const anyOf = <T extends string>(names: Readonly<Record<T, true>>): FieldType =>
  oneOf(...Object.keys(names));

/** Nested deeper than this, a reason was not made by this page. */
const MAX_DEPTH = 4;

const few = record({ number: count, names: optional(listOf(text)) });
const listChanges = listOf(
  record({
    list: oneOf('tools', 'resources', 'resourceTemplates', 'prompts'),
    added: few,
    removed: few,
    changed: record({
      number: count,
      items: optional(listOf(record({ name: text, fields: listOf(text) }))),
    }),
  }),
);

const CONSEQUENCE = anyOf<Consequence>({
  'answer-not-awaited': true,
  'result-unreachable': true,
  'new-session': true,
  'not-run': true,
  'not-run-call-again': true,
  'may-have-run': true,
});

/** Codes of earlier versions may be gone. */
const code: FieldType = {
  name: 'a code',
  read: (value) => (typeof value === 'string' && /^[a-z][a-z-]{0,40}$/.test(value) ? value : undefined),
};

const FACTS: Readonly<Record<Exclude<keyof Facts, 'how' | 'because'>, FieldType>> = {
  status: count,
  rpcCode: integer,
  afterMs: durationMs,
  timeoutMs: durationMs,
  backgroundMs: durationMs,
  ttlMs: durationMs,
  limitBytes: count,
  usedBytes: count,
  rounds: count,
  pairs: count,
  pages: count,
  from: number,
  to: number,
  skipped: count,
  removed: count,
  first: count,
  last: count,
  logins: count,
  tasks: count,
  questions: count,
  cancelled: count,
  era: oneOf('session', 'stateless'),
  text,
  host: text,
  url: text,
  newUrl: text,
  origin: text,
  contentType: text,
  scope: text,
  name: text,
  was: text,
  now: text,
  version: text,
  versions: listOf(text),
  names: listOf(text),
  changes: listChanges,
  sessions: record({
    how: anyOf<SessionsTried['how']>({
      resumable: true,
      'no-event-ids': true,
      'no-session-id': true,
      rejected: true,
      untried: true,
      'no-answer': true,
    }),
    status: optional(count),
  }),
  oldCode: code,
  fix: text,
};

export const reason: FieldType = { name: 'a reason', read: (value) => readReason(value, 0) };

/** One of these codes. */
export const reasonWith = (...codes: readonly (keyof typeof REASONS)[]): FieldType => ({
  name: `a reason with one of the codes ${codes.join(', ')}`,
  read: (value) => {
    const read = readReason(value, 0);
    return codes.some((one) => one === read?.['code']) ? read : undefined;
  },
});

function readReason(value: unknown, depth: number): JsonObject | undefined {
  const named = isObject(value) ? value['code'] : undefined;
  if (!isObject(value) || typeof named !== 'string' || !Object.hasOwn(REASONS, named)) return undefined;
  if (depth > MAX_DEPTH) return undefined;
  const read = readFields(value, fieldsOf(named as keyof typeof REASONS, depth));
  return read.ok ? { code: named, ...read.value } : undefined;
}

function fieldsOf(named: keyof typeof REASONS, depth: number): Fields {
  const { needs, may, how }: Shape = REASONS[named];
  const type = (name: keyof Facts): FieldType => (name === 'because' ? nested(depth + 1) : typeOf(name));
  return Object.fromEntries([
    ['so', optional(CONSEQUENCE)] as const,
    ...(how ? [['how', oneOf(...how)] as const] : []),
    ...(needs ?? []).map((name) => [name, type(name)] as const),
    ...(may ?? []).map((name) => [name, optional(type(name))] as const),
  ]);
}

interface Shape {
  readonly needs?: readonly (keyof Facts)[];
  readonly may?: readonly (keyof Facts)[];
  readonly how?: readonly string[];
}

const nested = (depth: number): FieldType => ({
  name: 'a reason',
  read: (value) => readReason(value, depth),
});

function typeOf(name: keyof Facts): FieldType {
  return name === 'how' || name === 'because' ? text : FACTS[name];
}

export const returnCost = record({
  callsLost: count,
  questionsExpired: count,
  hasLists: optional(flag),
  era: optional(
    record({
      era: oneOf('session', 'stateless'),
      version: text,
      oldVersion: text,
      sse: optional(oneOf('now', 'before')),
    }),
  ),
  changes: optional(listChanges),
});
