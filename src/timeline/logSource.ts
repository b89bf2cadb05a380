/** Where entries are read from: the newest are in memory, the others are read when somebody looks at them. */
import type { Emitter } from '../base/emitter.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { EntryBatch } from '../log/entry/entryBatch.ts';

/** Entries that are stored together, by the numbers of the first and the last. */
export interface StoredRange {
  readonly first: number;
  readonly last: number;
}

export interface LogSource {
  readonly appended: Emitter<EntryBatch>;
  readonly tail: readonly Entry[];
  /** Oldest first. What is newest may be in memory alone. */
  readonly stored: readonly StoredRange[];
  read(ranges: readonly StoredRange[]): Promise<readonly (readonly Entry[])[]>;
  /** Resolves when everything so far is stored. */
  flushed(): Promise<void>;
}

/** The stored range that holds this entry. */
export function rangeOf(stored: readonly StoredRange[], seq: number): StoredRange | undefined {
  let low = 0;
  let high = stored.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stored[middle]?.last ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  const range = stored[low];
  return range && range.first <= seq ? range : undefined;
}

export function lowerBound(entries: readonly Entry[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function inMemory({ tail }: LogSource, seq: number): Entry | undefined {
  const entry = tail[lowerBound(tail, seq)];
  return entry?.seq === seq ? entry : undefined;
}

/** Ranges that are read at once when a log is walked through. */
const READ_AHEAD = 8;

/** Every entry from `since` on, oldest first; ranges that nobody wants are not read. */
export async function* walk(
  source: LogSource,
  since = 0,
  isWanted: (range: StoredRange) => boolean = () => true,
): AsyncGenerator<readonly Entry[]> {
  let next = since;
  for (let before = -1; ;) {
    const wanted = source.stored.filter((range) => range.last >= next);
    for (let i = 0; i < wanted.length; i += READ_AHEAD) {
      const ranges = wanted.slice(i, i + READ_AHEAD);
      const kept = ranges.filter(isWanted);
      for (const entries of kept.length > 0 ? await source.read(kept) : []) {
        const from = next;
        yield entries.filter(({ seq }) => seq >= from);
        // Another tab may have added to these entries since their range was known.
        next = Math.max(next, (entries.at(-1)?.seq ?? 0) + 1);
      }
      next = Math.max(next, (ranges.at(-1)?.last ?? 0) + 1);
    }
    const { tail } = source;
    const from = lowerBound(tail, next);
    // Memory may have let go of entries before they were stored: then storage is asked again.
    const isGapless = from > 0 || (tail[0]?.seq ?? next) <= next || before === next;
    if (!isGapless) {
      before = next;
      await source.flushed();
      continue;
    }
    const rest = tail.slice(from);
    if (rest.length > 0) yield rest;
    return;
  }
}
