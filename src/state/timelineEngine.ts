/** What the timeline needs beyond its list: the index of the whole log, the filter, what belongs together. */
import { runLimited } from '../limited/runLimited.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { QueryProblem } from '../timeline/filter/query.ts';
import { parseQuery } from '../timeline/filter/query.ts';
import { completeQuery, type Completion } from '../timeline/filter/complete.ts';
import { linksOf, type Links } from '../timeline/links.ts';
import { LiveIndex } from '../timeline/liveIndex.ts';
import type { LogIndex } from '../timeline/logIndex.ts';
import { LogSearch } from '../timeline/logSearch.ts';
import type { LogSource } from '../timeline/logSource.ts';
import type { Seqs } from '../timeline/seqs.ts';
import type { TimeRange } from '../timeline/timeScale.ts';
import { Story } from './story.ts';

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
  #text = '';
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

  /** @returns what is wrong with the text; what was found before stays until it is right */
  setFilter(text: string): QueryProblem | undefined {
    const query = parseQuery(text);
    if (!query.ok) return query.error;
    this.#text = text;
    this.#startSearch();
    return undefined;
  }

  linksOf(entry: Entry): Links {
    return linksOf(entry, this.index.exchanges);
  }

  complete(text: string, caret: number): readonly Completion[] {
    return completeQuery(text, caret, this.index);
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
    const query = parseQuery(this.#text);
    this.#search =
      query.ok && query.value.length > 0
        ? new LogSearch(this.#source, this.index, query.value, runLimited)
        : undefined;
    void this.#search?.run(this.#tell).then(this.#tellNow);
  }
}
