/** The entries that match a filter, found a slice at a time: looking through ten thousand at once would stop the page. */
import type { Entry } from '../log/entry.ts';
import { toLogEntry, type LogEntry } from '../log/publicEntry.ts';
import { EntryWindow, lowerBound } from './entryWindow.ts';
import type { Filter } from './filter.ts';

const SLICE_ENTRIES = 200;
/** Of a bigger message only the beginning is searched. */
const SEARCHED_CHARS = 100_000;

export class FilteredEntries {
  readonly #server: string;
  readonly #filter: Filter;
  #matches: Entry[] = [];
  #next = 0;

  constructor(server: string, filter: Filter) {
    this.#server = server;
    this.#filter = filter;
  }

  get window(): EntryWindow {
    return new EntryWindow([], this.#matches);
  }

  /** Looks at the next slice; is there more to look at? */
  advance(all: EntryWindow): boolean {
    this.#forgetBefore(all.at(0)?.seq ?? 0);
    const from = all.indexOf(this.#next);
    const entries = all.slice(from, from + SLICE_ENTRIES);
    for (const entry of entries) {
      if (this.#filter(searchable(this.#server, entry))) this.#matches.push(entry);
    }
    this.#next = (entries.at(-1)?.seq ?? this.#next - 1) + 1;
    return from + entries.length < all.length;
  }

  #forgetBefore(seq: number): void {
    const gone = lowerBound(this.#matches, seq);
    if (gone > 0) this.#matches = this.#matches.slice(gone);
  }
}

function searchable(server: string, entry: Entry): LogEntry {
  if (!('raw' in entry) || entry.raw.length <= SEARCHED_CHARS) return toLogEntry(server, entry);
  const { raw, ...rest } = entry;
  return { ...rest, server, message: { excerpt: raw.slice(0, SEARCHED_CHARS) } };
}
