/** What many entries have in common. A burst of thousands has one shape, so a filter looks at it once. */
import { STANDALONE, type Entry } from '../log/entry.ts';
import { QUESTION_METHODS } from '../log/question.ts';
import { reasonCodeOf } from '../log/reason.ts';
import { isRefused } from './refusal.ts';

/** Never told apart by colour alone: each has its own shape on the screen. */
export type Mark =
  'sent' | 'live' | 'replayed' | 'duplicate' | 'lost' | 'unknown' | 'waiting' | 'answered' | 'plain';

export const LANE_KINDS = [
  'page',
  'connection',
  'requests',
  'calls',
  'stream',
  'questions',
  'tasks',
  'app',
  'auth',
  'notes',
  'errors',
] as const;
export type LaneKind = (typeof LANE_KINDS)[number];

export interface Shape {
  readonly kind: string;
  readonly method: string;
  readonly stream: string;
  readonly callId: string;
  readonly load: number;
  readonly status: number;
  readonly replayed: boolean;
  readonly mark: Mark;
  readonly lane: LaneKind;
  readonly isError: boolean;
  /** The code beside its sentence. */
  readonly reason: string;
}

function shapeOf(entry: Entry): Shape {
  return {
    kind: entry.kind,
    method: 'method' in entry && entry.method !== undefined ? entry.method : '',
    stream: 'stream' in entry ? entry.stream : '',
    callId: 'callId' in entry && entry.callId !== undefined ? entry.callId : '',
    load: entry.load,
    status: 'status' in entry && entry.status !== undefined ? entry.status : 0,
    replayed: entry.kind === 'received' && entry.replayed === true,
    mark: markOf(entry),
    lane: laneOf(entry),
    isError: isError(entry),
    reason: reasonCodeOf(entry) ?? '',
  };
}

export function markOf(entry: Entry): Mark {
  switch (entry.kind) {
    case 'sent':
      return 'sent';
    case 'received':
      if (entry.replayed) return 'replayed';
      return entry.method !== undefined && QUESTION_METHODS.has(entry.method) ? 'waiting' : 'live';
    case 'duplicate':
      return 'duplicate';
    case 'malformed':
      return 'lost';
    case 'app':
      if (entry.step === 'sent') return 'sent';
      return entry.step === 'received' ? 'live' : 'plain';
    case 'question':
      if (entry.change.name === 'answering' || entry.change.name === 'task') return 'plain';
      return entry.change.name === 'expired' ? 'lost' : 'answered';
    case 'call':
      if (entry.change.name === 'lost' || entry.change.name === 'expired') return 'lost';
      return entry.change.name === 'unknown' ? 'unknown' : 'plain';
    default:
      return 'plain';
  }
}

function laneOf(entry: Entry): LaneKind {
  switch (entry.kind) {
    case 'load':
      return 'page';
    case 'state':
    case 'session':
    case 'era':
      return 'connection';
    case 'task':
      return 'tasks';
    case 'call':
      return 'calls';
    case 'question':
      return 'questions';
    case 'auth':
      return 'auth';
    case 'app':
      return 'app';
    case 'note':
      return 'notes';
    default:
      return laneOfMessage(entry);
  }
}

function laneOfMessage(entry: Entry): LaneKind {
  const method = 'method' in entry ? (entry.method ?? '') : '';
  if (QUESTION_METHODS.has(method)) return 'questions';
  if (method.startsWith('tasks/') || method.startsWith('notifications/tasks/')) return 'tasks';
  if ('callId' in entry && entry.callId !== undefined) return 'calls';
  return 'stream' in entry && entry.stream === STANDALONE ? 'stream' : 'requests';
}

function isError(entry: Entry): boolean {
  switch (entry.kind) {
    case 'malformed':
      return true;
    case 'note':
      return entry.level !== 'info';
    case 'state':
      return entry.state.name === 'failed';
    case 'http':
      return isRefused(entry);
    case 'stream-end':
      return entry.how === 'broken' || entry.how === 'refused';
    case 'auth':
      return entry.reason !== undefined;
    case 'app':
      return entry.step === 'finding';
    case 'call':
      return ['failed', 'lost', 'unknown', 'expired', 'ran-again'].includes(entry.change.name);
    case 'question':
      return entry.change.name === 'expired';
    default:
      return false;
  }
}

/** Shapes by number, each kept once. */
export class Shapes {
  readonly #shapes: Shape[] = [];
  readonly #numbers = new Map<string, number>();
  /** Entries that follow each other mostly have the same shape; telling so is cheaper than making its key. */
  #last: Entry | undefined;
  #lastNumber = 0;

  get length(): number {
    return this.#shapes.length;
  }

  at(number: number): Shape {
    const shape = this.#shapes[number];
    if (!shape) throw new Error(`There is no shape ${number}.`);
    return shape;
  }

  numberOf(entry: Entry): number {
    if (this.#last && isAlike(this.#last, entry)) return this.#lastNumber;
    const shape = shapeOf(entry);
    const key = Object.values(shape).join('\n');
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#shapes.push(shape) - 1;
      this.#numbers.set(key, number);
    }
    this.#last = entry;
    this.#lastNumber = number;
    return number;
  }
}

function isAlike(a: Entry, b: Entry): boolean {
  return (
    a.kind === 'received' &&
    b.kind === 'received' &&
    a.method === b.method &&
    a.stream === b.stream &&
    a.callId === b.callId &&
    a.load === b.load &&
    a.replayed === b.replayed
  );
}
