/** Finds the entries that a query means, in slices, so that the page goes on while a million are looked through. */
import { createYielder } from '../base/yieldToEventLoop.ts';
import type { RunLimited } from '../limited/limitedWorker.ts';
import type { Entry } from '../log/entry/entry.ts';
import { Matcher, searchedText } from './filter/matcher.ts';
import { PatternBatch } from './filter/patternBatch.ts';
import type { Query } from './filter/query.ts';
import type { LogIndex } from './logIndex.ts';
import { inMemory, rangeOf, walk, type LogSource, type StoredRange } from './logSource.ts';
import { SeqList } from './seqs.ts';

export class LogSearch {
  #matches = new SeqList();
  readonly #source: LogSource;
  readonly #index: LogIndex;
  readonly #matcher: Matcher;
  readonly #batch: PatternBatch<number>;
  /** Everything before this position was looked at. */
  #next = 0;
  /** And everything before this one is decided. */
  #decided = 0;
  #isStopped = false;
  #problem: string | undefined;
  #running: Promise<void> | undefined;

  constructor(source: LogSource, index: LogIndex, query: Query, run: RunLimited) {
    this.#source = source;
    this.#index = index;
    this.#matcher = new Matcher(query, index);
    this.#batch = new PatternBatch(this.#matcher.patterns, run);
  }

  get matches(): SeqList {
    return this.#matches;
  }

  /** Why the search has stopped. Then there are no matches: some of them would look like all of them. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** How much was looked at, from 0 to 1. */
  get progress(): number {
    if (this.#index.length === 0 || this.#problem !== undefined) return 1;
    return this.#decided / this.#index.length;
  }

  /** Would the same search find more now in what was looked at already? An exchange may have ended since. */
  get isOutdated(): boolean {
    if (this.#problem !== undefined) return false;
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
    const yieldIfDue = createYielder();
    while (this.#next < this.#index.length && !this.#isStopped) {
      if (this.#matcher.readsText && !this.#isInMemory(this.#next)) await this.#readOn(yieldIfDue, tell);
      else this.#lookOn();
      await this.#decide();
      tell();
      await yieldIfDue();
    }
  }

  /** Asks the worker about what was collected. Without patterns there is nothing to wait for. */
  async #decide(): Promise<void> {
    if (this.#isStopped) return;
    const next = this.#next;
    if (this.#matcher.patterns.length > 0) {
      const matching = await this.#batch.take();
      if (matching.ok) for (const seq of matching.value) this.#matches.push(seq);
      else this.#fail(matching.error);
    }
    this.#decided = next;
  }

  #fail(why: string): void {
    this.#problem = why;
    this.#matches = new SeqList();
    this.#isStopped = true;
  }

  #isInMemory(i: number): boolean {
    const first = this.#source.tail[0];
    return first !== undefined && this.#index.seqAt(i) >= first.seq;
  }

  /** A slice, from the index and from what is in memory. */
  #lookOn(): void {
    const end = Math.min(this.#index.length, this.#next + SLICE);
    while (this.#next < end && !this.#batch.isFull) {
      const i = this.#next;
      if (!this.#matcher.mayMatchShape(i)) {
        this.#next = this.#index.alikeUntil(i);
        continue;
      }
      if (this.#matcher.mayMatch(i)) this.#lookInMemory(i);
      this.#next += 1;
    }
  }

  #lookInMemory(i: number): void {
    const seq = this.#index.seqAt(i);
    if (!this.#matcher.readsText) {
      this.#matches.push(seq);
      return;
    }
    const entry = inMemory(this.#source, seq);
    if (entry) this.#lookInText(entry);
  }

  #lookInText(entry: Entry): void {
    const text = searchedText(entry);
    if (!this.#matcher.matchesWords(text)) return;
    if (this.#matcher.patterns.length === 0) this.#matches.push(entry.seq);
    else this.#batch.add(entry.seq, text);
  }

  /** Through storage, up to where memory begins; ranges without a candidate are not read. */
  async #readOn(yieldIfDue: () => Promise<void> | undefined, tell: () => void): Promise<void> {
    const since = this.#index.seqAt(this.#next);
    if (!rangeOf(this.#source.stored, since)) {
      this.#next += 1;
      return;
    }
    const isWanted = (range: StoredRange): boolean => this.#hasCandidate(range);
    for await (const entries of walk(this.#source, since, isWanted)) {
      for (const entry of entries) {
        this.#look(entry);
        if (this.#batch.isFull) await this.#decide();
        if (this.#isStopped) return;
      }
      if (this.#isInMemory(this.#next)) return;
      await this.#decide();
      tell();
      await yieldIfDue();
    }
    this.#next = Math.max(this.#next, this.#index.positionOf(this.#source.tail[0]?.seq ?? Infinity));
  }

  #look(entry: Entry): void {
    const i = this.#index.positionOf(entry.seq);
    if (i < this.#next || this.#index.seqAt(i) !== entry.seq) return;
    if (this.#matcher.mayMatch(i)) this.#lookInText(entry);
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
