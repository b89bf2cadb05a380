/** What a filter asks for, as data: the grammar is read and written here and nowhere else. */
import { errorMessage } from '../../base/format.ts';
import { err, ok, type Result } from '../../base/result.ts';

export const KEYS = [
  'kind',
  'method',
  'tool',
  'stream',
  'call',
  'lane',
  'load',
  'status',
  'dur',
  'size',
  'replayed',
  'reason',
] as const;
export type Key = (typeof KEYS)[number];

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

export type Test =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'regex'; readonly source: string; readonly flags: string }
  /** Any of the values will do. */
  | { readonly type: 'is'; readonly key: Key; readonly values: readonly string[] }
  | { readonly type: 'compares'; readonly key: Key; readonly by: Comparison; readonly value: number };

export type Term = Test & { readonly not: boolean };
/** All of the terms must hold. */
export type Query = readonly Term[];

/** What is wrong, and where in the text. */
export interface QueryProblem {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

const NUMERIC: ReadonlySet<Key> = new Set(['load', 'status', 'dur', 'size']);
const COMPARED = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?)([a-z]*)$/i;
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  load: { '': 1 },
  status: { '': 1 },
  dur: { '': 1, ms: 1, s: 1000, m: 60_000, min: 60_000 },
  size: { '': 1, b: 1, k: 1000, kb: 1000, m: 1_000_000, mb: 1_000_000 },
};

export function parseQuery(text: string): Result<Query, QueryProblem> {
  const terms: Term[] = [];
  let at = 0;
  for (;;) {
    while (isSpace(text[at])) at += 1;
    if (at >= text.length) return ok(terms);
    const term = readTerm(text, at);
    if (!term.ok) return term;
    terms.push(term.value.term);
    at = term.value.end;
  }
}

/** The same query, written in the one way that it is always written. */
export function printQuery(query: Query): string {
  return query.map((term) => `${term.not ? '-' : ''}${printTest(term)}`).join(' ');
}

interface Read {
  readonly term: Term;
  readonly end: number;
}

function readTerm(text: string, start: number): Result<Read, QueryProblem> {
  const not = text[start] === '-' && start + 1 < text.length && !isSpace(text[start + 1]);
  const from = not ? start + 1 : start;
  if (text[from] === '/') {
    const regex = readRegex(text, from);
    if (regex) return regex.ok ? ok({ term: { ...regex.value.test, not }, end: regex.value.end }) : regex;
  }
  const key = /^([a-z]+):/i.exec(text.slice(from));
  if (!key) {
    const value = readValue(text, from);
    if (!value.ok) return value;
    return ok({ term: { type: 'text', text: value.value.text, not }, end: value.value.end });
  }
  const name = (key[1] ?? '').toLowerCase();
  const known = KEYS.find((one) => one === name);
  const valueAt = from + key[0].length;
  if (!known) return err(unknownKey(name, from, valueAt));
  const read = readValues(text, valueAt);
  if (!read.ok) return read;
  const test = readTest(known, read.value.values, { from: valueAt, to: read.value.end });
  return test.ok ? ok({ term: { ...test.value, not }, end: read.value.end }) : test;
}

type Where = Pick<QueryProblem, 'from' | 'to'>;

function readTest(key: Key, values: readonly string[], where: Where): Result<Test, QueryProblem> {
  const [first = ''] = values;
  if (values.some((value) => value === '')) {
    return err({ ...where, message: `Enter a value after “${key}:”.` });
  }
  if (key === 'replayed' && !values.every((value) => /^(true|false)$/i.test(value))) {
    return err({ ...where, message: '“replayed:” must be true or false.' });
  }
  if (!NUMERIC.has(key) || (key === 'status' && values.every((value) => /^[1-5]xx$/i.test(value)))) {
    return ok({ type: 'is', key, values: values.map((value) => value.toLowerCase()) });
  }
  if (values.length > 1 && values.every((value) => /^\d+$/.test(value))) {
    return ok({ type: 'is', key, values: values.map((value) => String(Number(value))) });
  }
  const [, by = '=', digits = '', unit = ''] = COMPARED.exec(first) ?? [];
  const factor = UNITS[key]?.[unit.toLowerCase()];
  if (values.length > 1 || digits === '' || factor === undefined) {
    return err({ ...where, message: `“${key}:” needs a number, like ${EXAMPLES[key] ?? ''}` });
  }
  return ok({ type: 'compares', key, by: by as Comparison, value: Number(digits) * factor });
}

const EXAMPLES: Readonly<Partial<Record<Key, string>>> = {
  load: 'load:2 or load:>1.',
  status: 'status:200, status:4xx or status:>=400.',
  dur: 'dur:>500 (milliseconds) or dur:>2s.',
  size: 'size:>10k or size:<500.',
};

function unknownKey(name: string, from: number, to: number): QueryProblem {
  return {
    from,
    to,
    message:
      `Unknown filter “${name}:”. Quote it to search for text, or use ` +
      KEYS.map((key) => `${key}:`).join(' '),
  };
}

/** `undefined`: a word that only begins with a slash, such as a path. */
function readRegex(
  text: string,
  from: number,
): Result<{ test: Test; end: number }, QueryProblem> | undefined {
  const found = /^\/((?:[^\\/]|\\.)+)\/([a-z]*)(?=\s|$)/.exec(text.slice(from));
  if (!found) return undefined;
  const [whole, source = '', flags = ''] = found;
  const end = from + whole.length;
  try {
    new RegExp(source, flags);
  } catch (error) {
    return err({ from, to: end, message: `Invalid regular expression: ${errorMessage(error)}` });
  }
  return ok({ test: { type: 'regex', source, flags }, end });
}

function readValues(
  text: string,
  from: number,
): Result<{ values: readonly string[]; end: number }, QueryProblem> {
  const values: string[] = [];
  let at = from;
  for (;;) {
    const value = readValue(text, at, ',');
    if (!value.ok) return value;
    values.push(value.value.text);
    at = value.value.end;
    if (text[at] !== ',') return ok({ values, end: at });
    at += 1;
  }
}

/** A word, or something in quotes, in which a backslash takes the next character as it is. */
function readValue(
  text: string,
  from: number,
  stop = '',
): Result<{ text: string; end: number }, QueryProblem> {
  if (text[from] !== '"') {
    let end = from;
    while (end < text.length && !isSpace(text[end]) && (stop === '' || text[end] !== stop)) end += 1;
    return ok({ text: text.slice(from, end), end });
  }
  let value = '';
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = at + 1;
      if (end < text.length && !isSpace(text[end]) && text[end] !== stop) {
        return err({ from: end, to: end + 1, message: 'Add a space after the closing quote.' });
      }
      return ok({ text: value, end });
    }
    if (char === '\\' && at + 1 < text.length) at += 1;
    value += text[at] ?? '';
  }
  return err({ from, to: text.length, message: 'Missing closing quote.' });
}

function printTest(test: Test): string {
  switch (test.type) {
    case 'text':
      return isPlainWord(test.text) ? test.text : quote(test.text);
    case 'regex':
      return `/${test.source}/${test.flags}`;
    case 'is':
      return `${test.key}:${test.values.map((value) => (/^[^\s",]+$/.test(value) ? value : quote(value))).join(',')}`;
    case 'compares':
      return `${test.key}:${test.by === '=' ? '' : test.by}${plainNumber(test.value)}`;
  }
}

const plainNumber = (value: number): string =>
  Number.isInteger(value) && value < 1e15 ? String(value) : value.toFixed(9).replace(/\.?0+$/, '');

const isPlainWord = (text: string): boolean => /^[^\s"/:-][^\s":]*$/.test(text);
const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
const isSpace = (char: string | undefined): boolean => char !== undefined && /\s/.test(char);
