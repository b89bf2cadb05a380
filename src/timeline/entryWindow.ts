/** A run of entries, oldest first, as a list asks for them: by index. Nothing is copied. */
import type { Entry } from '../log/entry.ts';

export class EntryWindow {
  readonly length: number;
  readonly #older: readonly Entry[];
  readonly #olderLength: number;
  readonly #newer: readonly Entry[];

  /** What `older` and `newer` both hold is shown once. */
  constructor(older: readonly Entry[], newer: readonly Entry[]) {
    const first = newer[0];
    this.#older = older;
    this.#newer = newer;
    this.#olderLength = first ? lowerBound(older, first.seq) : older.length;
    this.length = this.#olderLength + newer.length;
  }

  at(index: number): Entry | undefined {
    return index < this.#olderLength ? this.#older[index] : this.#newer[index - this.#olderLength];
  }

  slice(from: number, to: number): readonly Entry[] {
    const entries: Entry[] = [];
    for (let i = Math.max(0, from); i < Math.min(to, this.length); i += 1) {
      const entry = this.at(i);
      if (entry) entries.push(entry);
    }
    return entries;
  }

  /** The index of the entry with this number, or of the first one after it. */
  indexOf(seq: number): number {
    const first = this.#newer[0];
    if (first && seq >= first.seq) return this.#olderLength + lowerBound(this.#newer, seq);
    return Math.min(lowerBound(this.#older, seq), this.#olderLength);
  }
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
