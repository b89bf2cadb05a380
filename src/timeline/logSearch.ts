/** Finds the entries that a query means, in slices, so that the page goes on while a million are looked through. */
import { createBreather } from '../base/breather.ts';
import type { Entry } from '../log/entry.ts';
import { Matcher } from './filter/matcher.ts';
import type { Query } from './filter/query.ts';
import type { LogIndex } from './logIndex.ts';
import { lowerBound, rangeOf, walk, type LogSource, type StoredRange } from './logSource.ts';
import { SeqList } from './seqs.ts';

export class LogSearch {
  readonly matches = new SeqList();
  readonly #source: LogSource;
  readonly #index: LogIndex;
  readonly #matcher: Matcher;
  /** Everything before this position was looked at. */
  #next = 0;
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(source: LogSource, index: LogIndex, query: Query) {
    this.#source = source;
    this.#index = index;
    this.#matcher = new Matcher(query, index);
  }

  /** How much was looked at, from 0 to 1. */
  get progress(): number {
    return this.#index.length === 0 ? 1 : this.#next / this.#index.length;
  }

  /** Would the same search find more now in what was looked at already? An exchange may have ended since. */
  get isOutdated(): boolean {
    return this.#matcher.readsDurations && this.#running === undefined && this.#next < this.#index.length;
  }

  /** Looks at what was not looked at yet; resolves when that is done. `tell` is called on the way. */
  run(tell: () => void = () => undefined): Promise<void> {
    this.#running ??= this.#run(tell).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(tell: () => void): Promise<void> {
    const breathe = createBreather();
    while (this.#next < this.#index.length && !this.#isStopped) {
      if (this.#matcher.readsText && !this.#isInMemory(this.#next)) await this.#readOn(breathe, tell);
      else this.#lookOn();
      tell();
      await breathe();
    }
  }

  #isInMemory(i: number): boolean {
    const first = this.#source.tail[0];
    return first !== undefined && this.#index.seqAt(i) >= first.seq;
  }

  /** A slice, from the index and from what is in memory. */
  #lookOn(): void {
    const end = Math.min(this.#index.length, this.#next + SLICE);
    while (this.#next < end) {
      const i = this.#next;
      if (!this.#matcher.mayMatchShape(i)) {
        this.#next = this.#index.alikeUntil(i);
        continue;
      }
      if (this.#matcher.mayMatch(i) && (!this.#matcher.readsText || this.#matchesInMemory(i))) {
        this.matches.push(this.#index.seqAt(i));
      }
      this.#next += 1;
    }
  }

  #matchesInMemory(i: number): boolean {
    const seq = this.#index.seqAt(i);
    const { tail } = this.#source;
    const entry = tail[lowerBound(tail, seq)];
    return entry?.seq === seq && this.#matcher.matchesText(entry);
  }

  /** Through storage, up to where memory begins; ranges without a candidate are not read. */
  async #readOn(breathe: () => Promise<void> | undefined, tell: () => void): Promise<void> {
    const since = this.#index.seqAt(this.#next);
    if (!rangeOf(this.#source.stored, since)) {
      this.#next += 1;
      return;
    }
    const isWanted = (range: StoredRange): boolean => this.#hasCandidate(range);
    for await (const entries of walk(this.#source, since, isWanted)) {
      for (const entry of entries) this.#look(entry);
      if (this.#isStopped) return;
      if (this.#isInMemory(this.#next)) return;
      tell();
      await breathe();
    }
    this.#next = Math.max(this.#next, this.#index.positionOf(this.#source.tail[0]?.seq ?? Infinity));
  }

  #look(entry: Entry): void {
    const i = this.#index.positionOf(entry.seq);
    if (i < this.#next || this.#index.seqAt(i) !== entry.seq) return;
    if (this.#matcher.mayMatch(i) && this.#matcher.matchesText(entry)) this.matches.push(entry.seq);
    this.#next = i + 1;
  }

  #hasCandidate({ first, last }: StoredRange): boolean {
    const end = this.#index.positionOf(last + 1);
    for (let i = this.#index.positionOf(first); i < end; i += 1) if (this.#matcher.mayMatch(i)) return true;
    return false;
  }
}

/** Positions that are looked at before the clock is. */
const SLICE = 2000;
