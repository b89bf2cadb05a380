/** What many entries have in common. A burst of thousands has one shape, so a filter looks at it once. */
import type { Entry } from '../log/entry/entry.ts';
import { reasonCodeOf } from '../log/entry/entryKinds.ts';
import type { LaneKind, Mark } from './drawnKind.ts';
import { drawnKindOf } from './entryKinds.ts';

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
  /** Needed to resume, and seldom to be read: event IDs, ends of streams, accepted calls. `kind:plumbing` finds it. */
  readonly isPlumbing: boolean;
  /** The code beside its sentence. */
  readonly reason: string;
}

function shapeOf(entry: Entry): Shape {
  const kind = drawnKindOf(entry);
  return {
    kind: entry.kind,
    method: 'method' in entry && entry.method !== undefined ? entry.method : '',
    stream: 'stream' in entry ? entry.stream : '',
    callId: 'callId' in entry && entry.callId !== undefined ? entry.callId : '',
    load: entry.load,
    status: 'status' in entry && entry.status !== undefined ? entry.status : 0,
    replayed: entry.kind === 'received' && entry.replayed === true,
    mark: kind.mark(entry),
    lane: kind.lane(entry),
    isError: kind.isError(entry),
    isPlumbing: isPlumbing(entry),
    reason: reasonCodeOf(entry) ?? '',
  };
}

function isPlumbing(entry: Entry): boolean {
  if (entry.kind === 'call') return entry.change.name === 'open';
  if (entry.kind === 'stream-end') return entry.how !== 'broken' && entry.how !== 'refused';
  return entry.kind === 'position';
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
    if (!shape) throw new Error(`No shape ${number}.`);
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
