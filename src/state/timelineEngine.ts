/** What the timeline needs beyond its list: the index of the whole log, the filter, what belongs together. */
import { errorMessage } from '../base/format.ts';
import { loadPart } from '../base/loadPart.ts';
import { runLimited } from '../limited/runLimited.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { Completion } from '../timeline/filter/complete.ts';
import type * as filterPart from '../timeline/filter/filterPart.ts';
import type { QueryProblem } from '../timeline/filter/query.ts';
import { linksOf, type Links } from '../timeline/links.ts';
import { LiveIndex } from '../timeline/liveIndex.ts';
import type { LogIndex } from '../timeline/logIndex.ts';
import type { LogSearch } from '../timeline/logSearch.ts';
import type { LogSource } from '../timeline/logSource.ts';
import type { Seqs } from '../timeline/seqs.ts';
import type { TimeRange } from '../timeline/timeScale.ts';
import { Story } from './story.ts';

type FilterPart = typeof filterPart;

export interface Found {
  readonly seqs: Seqs;
  /** How much was looked at, from 0 to 1. */
  readonly progress: number;
  /** Why nothing was found: the search was given up. */
  readonly problem?: string;
}

export class TimelineEngine {
  readonly #source: LogSource;
  readonly #live: LiveIndex;
  readonly #tell: () => void;
  readonly #tellNow: () => void;
  /** The calls as rows with lanes. */
  readonly story = new Story(() => this.index);
  #filter: FilterPart | undefined;
  /** What is searched for, and what was typed: the part that reads it may still be on its way. */
  #text = '';
  #typed = '';
  #problem: QueryProblem | undefined;
  #search: LogSearch | undefined;

  /**
   * @param tell more is known, and more may follow
   * @param tellNow somebody waits for this answer
   */
  constructor(source: LogSource, tell: () => void, tellNow: () => void) {
    this.#source = source;
    this.#tell = tell;
    this.#tellNow = tellNow;
    this.#live = new LiveIndex(source);
    this.#live.replaced.on(() => {
      this.#startSearch();
      tell();
    });
    void this.#live.whole();
  }

  get index(): LogIndex {
    return this.#live.index;
  }

  /** Is all of the log known, or only what is in memory? */
  get isWhole(): boolean {
    return this.#live.isWhole;
  }

  /** Resolves when all of the log is known. */
  whole(): Promise<LogIndex> {
    return this.#live.whole();
  }

  get found(): Found | undefined {
    if (!this.#search) return undefined;
    const { matches: seqs, progress, problem } = this.#search;
    return {
      seqs,
      progress: this.#live.isWhole ? progress : 0,
      ...(problem !== undefined && { problem }),
    };
  }

  /** What is wrong with the filter; what was found before stays until it is right. */
  get problem(): QueryProblem | undefined {
    return this.#problem;
  }

  /** Loads what a filter needs. */
  async loadFilter(): Promise<FilterPart> {
    this.#filter ??= await loadPart(() => import('../timeline/filter/filterPart.ts'));
    return this.#filter;
  }

  /** Resolves when the search has begun. */
  async setFilter(text: string): Promise<void> {
    this.#typed = text;
    if (!this.#filter && text.trim() !== '') {
      try {
        await this.loadFilter();
      } catch (error) {
        this.#problem = { message: errorMessage(error), from: 0, to: text.length };
        this.#tellNow();
        return;
      }
      // Somebody has typed on while it was loaded.
      if (this.#typed !== text) return;
    }
    const query = this.#filter?.parseQuery(text);
    this.#problem = query?.ok === false ? query.error : undefined;
    if (this.#problem === undefined) {
      this.#text = text;
      this.#startSearch();
    }
    this.#tellNow();
  }

  linksOf(entry: Entry): Links {
    return linksOf(entry, this.index.exchanges);
  }

  async complete(text: string, caret: number): Promise<readonly Completion[]> {
    return (await this.loadFilter()).completeQuery(text, caret, this.index);
  }

  /** There are new entries. */
  goOn(): void {
    if (this.#search?.isOutdated === true) this.#startSearch();
    else void this.#search?.run(this.#tell).then(this.#tell);
  }

  /** The numbers of the first and the last entry in a range of time. */
  numbersIn({ from, to }: TimeRange): readonly [number, number] {
    const { index } = this;
    const end = index.positionAt(to);
    return end === 0 ? [0, -1] : [index.seqAt(index.positionAt(from)) || Infinity, index.seqAt(end - 1)];
  }

  #startSearch(): void {
    this.#search?.stop();
    const query = this.#filter?.parseQuery(this.#text);
    this.#search =
      this.#filter && query?.ok === true && query.value.length > 0
        ? new this.#filter.LogSearch(this.#source, this.index, query.value, runLimited)
        : undefined;
    void this.#search?.run(this.#tell).then(this.#tellNow);
  }
}
