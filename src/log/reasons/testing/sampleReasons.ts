/** Reasons of every code and every case, with all their facts: what a test walks through. */
import type { Reason, ReasonCode } from '../reason.ts';
import { REASONS, type Facts } from '../reasonFacts.ts';

export const CODES = Object.keys(REASONS) as readonly ReasonCode[];

const few = { number: 4, names: ['a', 'b', 'c'] };

/** @param text stands for whatever a server, a browser or a user says */
function factsOf(text: string): Readonly<Record<Exclude<keyof Facts, 'how'>, unknown>> {
  return {
    status: 404,
    rpcCode: -32601,
    afterMs: 5000,
    timeoutMs: 60_000,
    backgroundMs: 300_000,
    ttlMs: 60_000,
    limitBytes: 32_000_000,
    usedBytes: 32_000_000,
    rounds: 10,
    pairs: 4,
    pages: 200,
    from: 4,
    to: 1,
    skipped: 2,
    removed: 7,
    first: 1,
    last: 9,
    logins: 2,
    tasks: 1,
    questions: 1,
    cancelled: 2,
    era: 'stateless',
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
    versions: [text, text],
    names: [text, text],
    changes: [
      {
        list: 'tools',
        added: { ...few, names: [text, text, text] },
        removed: { number: 0, names: [] },
        changed: { number: 1, items: [{ name: text, fields: ['inputSchema'] }] },
      },
    ],
    because: { code: 'refused', status: 400, text },
    sessions: { how: 'rejected', status: 400 },
    oldCode: 'session-ended',
    fix: text,
  };
}

interface Shape {
  readonly needs?: readonly (keyof Facts)[];
  readonly may?: readonly (keyof Facts)[];
  readonly how?: readonly string[];
}

/** Each case of a code, once with what it needs and once with everything. */
export function samplesOf(code: ReasonCode, text: string): readonly Reason[] {
  const { needs = [], may = [], how }: Shape = REASONS[code];
  const facts = factsOf(text);
  const pick = (names: readonly (keyof Facts)[]): object =>
    Object.fromEntries(names.flatMap((name) => (name === 'how' ? [] : [[name, facts[name]]])));
  return (how ?? [undefined]).flatMap((one) =>
    [needs, [...needs, ...may]].map(
      (names) => ({ code, ...(one !== undefined && { how: one }), ...pick(names) }) as Reason,
    ),
  );
}
