/** Decides which entries a query means: by shape where that is enough, by numbers, and last by the words of the text. Patterns are for the worker. */
import { assertNever } from '../../base/assertNever.ts';
import { STANDALONE, type Entry } from '../../log/entry/entry.ts';
import { tellEntry } from '../../log/reasons/told.ts';
import type { Pattern } from '../../limited/matchTexts.ts';
import type { LogIndex } from '../logIndex.ts';
import type { Shape } from '../shape.ts';
import type { Comparison, Key, Query, Term } from './query.ts';

/** Of a bigger message only the beginning is searched. */
const SEARCHED_CHARS = 100_000;
/** Ids are shown by their ends. */
const SHORTEST_ID_END = 4;

export class Matcher {
  /** Must the text of entries be looked at? */
  readonly readsText: boolean;
  /** Does it ask for what is known only when an exchange is over? */
  readonly readsDurations: boolean;
  readonly #byShape: readonly Term[];
  readonly #byNumber: readonly Term[];
  /** What must hold beside the words. A pattern may never come to an end, so it is not tried on this thread. */
  readonly patterns: readonly Pattern[];
  readonly #words: readonly (Term & { type: 'text' })[];
  readonly #index: LogIndex;
  /** For each shape: 0 not asked yet, 1 no, 2 yes. */
  #verdicts = new Uint8Array(64);

  constructor(query: Query, index: LogIndex) {
    this.#index = index;
    this.#words = query.flatMap((term) =>
      term.type === 'text' ? [{ ...term, text: term.text.toLowerCase() }] : [],
    );
    this.patterns = query.filter((term) => term.type === 'regex');
    this.#byNumber = query.filter((term) => isKey(term) && (term.key === 'dur' || term.key === 'size'));
    this.#byShape = query.filter((term) => isKey(term) && term.key !== 'dur' && term.key !== 'size');
    this.readsText = this.#words.length + this.patterns.length > 0;
    this.readsDurations = this.#byNumber.some((term) => isKey(term) && term.key === 'dur');
  }

  /** What its shape says: the same for all entries of one shape. */
  mayMatchShape(i: number): boolean {
    return this.#matchesShape(this.#index.shapeNumberAt(i));
  }

  /** Everything but the text. */
  mayMatch(i: number): boolean {
    return (
      this.mayMatchShape(i) &&
      (this.#byNumber.length === 0 || this.#byNumber.every((term) => this.#matchesNumber(term, i)))
    );
  }

  matchesWords(text: string): boolean {
    if (this.#words.length === 0) return true;
    const lower = text.toLowerCase();
    return this.#words.every((word) => lower.includes(word.text) !== word.not);
  }

  #matchesShape(number: number): boolean {
    if (number >= this.#verdicts.length) {
      const longer = new Uint8Array(Math.max(2 * this.#verdicts.length, number + 1));
      longer.set(this.#verdicts);
      this.#verdicts = longer;
    }
    const known = this.#verdicts[number];
    if (known !== 0) return known === 2;
    const shape = this.#index.shapes.at(number);
    const verdict = this.#byShape.every((term) => this.#fits(term, shape) !== term.not);
    this.#verdicts[number] = verdict ? 2 : 1;
    return verdict;
  }

  #fits(term: Term, shape: Shape): boolean {
    if (term.type === 'compares') {
      const actual = term.key === 'load' ? shape.load : shape.status;
      return (term.key === 'load' || actual > 0) && compare(actual, term.by, term.value);
    }
    return term.type === 'is' && term.values.some((value) => this.#has(shape, term.key, value));
  }

  #has(shape: Shape, key: Key, value: string): boolean {
    switch (key) {
      case 'kind':
        return shape.kind === value || (value === 'plumbing' && shape.isPlumbing);
      case 'method':
        return shape.method.toLowerCase().includes(value);
      case 'tool':
        return this.#index.exchanges.callOf(shape.callId)?.tool.toLowerCase() === value;
      case 'stream':
        return isId(shape.stream, value) || (value === 'get' && shape.stream === STANDALONE);
      case 'call':
        return isId(shape.callId, value);
      case 'lane':
        return shape.lane === value || (value === 'errors' && shape.isError);
      case 'load':
        return String(shape.load) === value;
      case 'status':
        return value.endsWith('xx')
          ? Math.floor(shape.status / 100) === Number(value[0])
          : String(shape.status) === value;
      case 'replayed':
        return String(shape.replayed) === value;
      case 'reason':
        return shape.reason === value;
      case 'dur':
      case 'size':
        return false;
      default:
        return assertNever(key);
    }
  }

  #matchesNumber(term: Term, i: number): boolean {
    if (!isKey(term)) return true;
    const actual = term.key === 'size' ? this.#index.sizeAt(i) : this.#index.durationOf(this.#index.seqAt(i));
    const fits =
      actual !== undefined &&
      (term.type === 'compares'
        ? compare(actual, term.by, term.value)
        : term.values.some((value) => Number(value) === actual));
    return fits !== term.not;
  }
}

type KeyTerm = Extract<Term, { type: 'is' | 'compares' }>;
const isKey = (term: Term): term is KeyTerm => term.type === 'is' || term.type === 'compares';

function isId(actual: string, wanted: string): boolean {
  const id = actual.toLowerCase();
  return id !== '' && (id === wanted || (wanted.length >= SHORTEST_ID_END && id.endsWith(wanted)));
}

function compare(actual: number, by: Comparison, value: number): boolean {
  switch (by) {
    case '=':
      return actual === value;
    case '>':
      return actual > value;
    case '>=':
      return actual >= value;
    case '<':
      return actual < value;
    case '<=':
      return actual <= value;
    default:
      return assertNever(by);
  }
}

/** A message as it is written, with its letters as they are read. */
export function searchedText(entry: Entry): string {
  if (!('raw' in entry)) return JSON.stringify(tellEntry(entry));
  const { raw } = entry;
  const id = entry.eventId === undefined ? '' : ` ${entry.eventId}`;
  if (raw.length > SEARCHED_CHARS) return raw.slice(0, SEARCHED_CHARS) + id;
  // Some servers write every letter beyond ASCII as \uXXXX.
  return (raw.includes('\\u') ? JSON.stringify(JSON.parse(raw)) : raw) + id;
}
