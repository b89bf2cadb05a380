/**
 * Event IDs, each with a small integer. Most servers count their events, so IDs with the same beginning and consecutive
 * numbers share an array. A Map would keep each ID, and with it the whole chunk of the stream that it was cut from.
 */
import { numberAt, numberIn } from '../log/entry/eventNumber.ts';

/** What can be posted to another thread. */
export interface EventIds {
  readonly runs: ReadonlyMap<string, Run>;
  readonly others: ReadonlyMap<string, number>;
  readonly lastOther: string;
}

/** The values of `<prefix><first>`, `<prefix><first + 1>` and so on. */
interface Run {
  readonly prefix: string;
  readonly first: number;
  readonly values: number[];
}

export class EventIdMap {
  readonly #runs: Map<string, Run>;
  /** IDs that continue no run, in the order in which they were added. */
  readonly #others: Map<string, number>;
  /** Asked for first: events come in the order of their IDs. Undefined while there is none. */
  #lastRun: Run | undefined;
  #lastOther: string;

  /** @param from not used by anybody else from now on */
  constructor(from?: EventIds) {
    this.#runs = new Map(from?.runs);
    this.#others = new Map(from?.others);
    [this.#lastRun] = this.#runs.values();
    this.#lastOther = from?.lastOther ?? '';
  }

  get ids(): EventIds {
    return { runs: this.#runs, others: this.#others, lastOther: this.#lastOther };
  }

  get(id: string): number | undefined {
    const at = numberAt(id);
    return this.#find(id, this.#runOf(id, at), numberIn(id, at));
  }

  /** Adds an ID that isn't known, or returns the value of one that is. */
  add(id: string, value: number): number | undefined {
    const at = numberAt(id);
    const number = numberIn(id, at);
    const run = this.#runOf(id, at);
    const known = this.#find(id, run, number);
    if (known !== undefined) return known;
    if (run && number === run.first + run.values.length) run.values.push(value);
    else if (!run && this.#followsLast(id, at, number)) this.#addRun(ownText(id.slice(0, at)), number, value);
    else this.#others.set((this.#lastOther = ownText(id)), value);
    return undefined;
  }

  /** Removes the oldest IDs outside of runs until at most `max` of them are left, and returns them. */
  trim(max: number): readonly string[] {
    if (this.#others.size <= max) return NONE;
    const removed: string[] = [];
    for (const id of this.#others.keys()) {
      if (this.#others.size <= max) break;
      this.delete(id);
      removed.push(id);
    }
    return removed;
  }

  /** Only for IDs outside of runs. */
  delete(id: string): void {
    this.#others.delete(id);
  }

  clear(): void {
    this.#runs.clear();
    this.#others.clear();
    this.#lastRun = undefined;
    this.#lastOther = '';
  }

  #find(id: string, run: Run | undefined, number: number): number | undefined {
    const inRun = run && number >= run.first ? run.values[number - run.first] : undefined;
    return inRun ?? (this.#others.size > 0 ? this.#others.get(id) : undefined);
  }

  #runOf(id: string, at: number): Run | undefined {
    const last = this.#lastRun;
    if (!last || (last.prefix.length === at && id.startsWith(last.prefix))) return last;
    const run = this.#runs.get(id.slice(0, at));
    if (run) this.#lastRun = run;
    return run;
  }

  #followsLast(id: string, at: number, number: number): boolean {
    return at < id.length && `${id.slice(0, at)}${number - 1}` === this.#lastOther;
  }

  #addRun(prefix: string, first: number, value: number): void {
    this.#lastRun = { prefix, first, values: [value] };
    this.#runs.set(prefix, this.#lastRun);
  }
}

const NONE: readonly string[] = [];
/** A copy: engines cut a text out of a longer one without copying it, and keep the longer one. */
function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
