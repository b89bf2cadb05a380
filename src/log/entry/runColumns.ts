/** Collects the messages of a run. */
import { numberAt, numberIn } from './eventNumber.ts';
import type { CountedIds, EntryRun, RunShape, TextColumn } from './entryRun.ts';

/** A run without the stamps of its entries. */
type Columns = Pick<EntryRun, 'shapes' | 'shapeOf' | 'eventIds' | 'raw'>;

/** Numbers of shapes fit into a byte. */
const MOST_SHAPES = 256;

export class RunColumns {
  readonly #texts: string[] = [];
  readonly #ids: string[] = [];
  readonly #shapes: RunShape[] = [];
  readonly #shapeOf: number[] = [];
  #shape = 0;

  get length(): number {
    return this.#texts.length;
  }

  /** Says whether there was room for it: entries of a run all have an event ID, or none has. */
  add(raw: string, eventId: string | undefined, { method, callId }: RunShape): boolean {
    if (this.length > 0 && this.#ids.length > 0 !== (eventId !== undefined)) return false;
    const current = this.#shapes[this.#shape];
    if (!current || current.method !== method || current.callId !== callId) {
      const known = this.#shapes.findIndex((one) => one.method === method && one.callId === callId);
      if (known < 0 && this.#shapes.length === MOST_SHAPES) return false;
      this.#shape = known < 0 ? this.#shapes.push(shapeOf(method, callId)) - 1 : known;
    }
    this.#texts.push(raw);
    this.#shapeOf.push(this.#shape);
    if (eventId !== undefined) this.#ids.push(eventId);
    return true;
  }

  finish(): Columns {
    return {
      shapes: this.#shapes,
      ...(this.#shapes.length > 1 && { shapeOf: Uint8Array.from(this.#shapeOf) }),
      ...(this.#ids.length > 0 && { eventIds: countedIds(this.#ids) ?? textColumn(this.#ids) }),
      raw: textColumn(this.#texts),
    };
  }
}

function shapeOf(method: string, callId: string | undefined): RunShape {
  return callId === undefined ? { method } : { method, callId };
}

function textColumn(texts: readonly string[]): TextColumn {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (let i = 0; i < texts.length; i += 1) ends[i] = end += texts[i]?.length ?? 0;
  return { text: texts.join(''), ends };
}

function countedIds(ids: readonly string[]): CountedIds | undefined {
  const [id = ''] = ids;
  const at = numberAt(id);
  const first = numberIn(id, at);
  // A text that is cut out of a longer one keeps the longer one.
  const prefix = ` ${id.slice(0, at)}`.slice(1);
  const counts = (one: string, i: number) =>
    numberAt(one) === at && numberIn(one, at) === first + i && one.startsWith(prefix);
  return ids.every(counts) ? { prefix, first } : undefined;
}
