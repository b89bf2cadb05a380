/** Entries by their numbers: those in memory at once, others after their page was read. Few pages are kept. */
import type { Entry } from '../log/entry/entry.ts';
import { inMemory, lowerBound, rangeOf, type LogSource, type StoredRange } from './logSource.ts';

const KEPT_PAGES = 24;

interface Page extends StoredRange {
  readonly entries: readonly Entry[];
}

export class EntryPages {
  readonly #source: LogSource;
  /** The one that was used last is the last. */
  readonly #pages = new Map<number, Page>();
  readonly #reading = new Map<number, Promise<void>>();

  constructor(source: LogSource) {
    this.#source = source;
  }

  get(seq: number): Entry | undefined {
    const recent = inMemory(this.#source, seq);
    if (recent) return recent;
    for (const page of this.#pages.values()) {
      if (page.first <= seq && seq <= page.last) return entryIn(page.entries, seq);
    }
    return undefined;
  }

  /** Reads what holds these numbers; says whether anything had to be read. */
  async want(seqs: readonly number[]): Promise<boolean> {
    const missing = new Map<number, StoredRange>();
    for (const seq of seqs) {
      if (inMemory(this.#source, seq)) continue;
      const range = rangeOf(this.#source.stored, seq);
      if (!range) continue;
      const page = this.#pages.get(range.first);
      // The newest range grows while it is written.
      if (page && page.last === range.last) this.#use(page);
      else missing.set(range.first, range);
    }
    const pages = [...missing.values()].slice(-KEPT_PAGES);
    await Promise.all(pages.map((range) => this.#read(range)));
    return pages.length > 0;
  }

  async entry(seq: number): Promise<Entry | undefined> {
    await this.want([seq]);
    return this.get(seq);
  }

  #read(range: StoredRange): Promise<void> {
    const reading = this.#reading.get(range.first) ?? this.#readAnew(range);
    this.#reading.set(range.first, reading);
    return reading;
  }

  async #readAnew(range: StoredRange): Promise<void> {
    const [entries = []] = await this.#source.read([range]);
    this.#use({ first: range.first, last: range.last, entries });
    this.#reading.delete(range.first);
  }

  #use(page: Page): void {
    this.#pages.delete(page.first);
    this.#pages.set(page.first, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > KEPT_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}

function entryIn(entries: readonly Entry[], seq: number): Entry | undefined {
  const entry = entries[lowerBound(entries, seq)];
  return entry?.seq === seq ? entry : undefined;
}
