/** The newest entries of a log, in memory. Runs are unpacked when somebody looks. */
import type { Entry } from './entry/entry.ts';
import { isRun, runLength, type Packed } from './entry/entryRun.ts';
import { unpackEntries } from './entry/packedEntries.ts';

/** How many of the newest entries stay in memory; older ones are read from storage when somebody asks. */
const TAIL_ENTRIES = 5000;

export class Tail {
  #entries: Entry[];
  #packed: Packed[] = [];
  /** How many entries are in `#packed`. */
  #added = 0;

  constructor(entries: readonly Entry[] = []) {
    this.#entries = [...entries];
  }

  add(packed: readonly Packed[]): void {
    for (const item of packed) {
      this.#packed.push(item);
      this.#added += isRun(item) ? runLength(item) : 1;
    }
    if (this.#added > 2 * TAIL_ENTRIES) this.#dropOldest();
  }

  get entries(): readonly Entry[] {
    if (this.#packed.length === 0) return this.#entries;
    if (this.#added > TAIL_ENTRIES) this.#dropOldest();
    for (const entry of unpackEntries(this.#packed)) this.#entries.push(entry);
    this.#packed = [];
    this.#added = 0;
    if (this.#entries.length > 2 * TAIL_ENTRIES) this.#entries = this.#entries.slice(-TAIL_ENTRIES);
    return this.#entries;
  }

  /** What is added is more than is kept: nothing older has to be unpacked. */
  #dropOldest(): void {
    this.#entries = [];
    let first = this.#packed.length;
    let kept = 0;
    while (first > 0 && kept < TAIL_ENTRIES) {
      first -= 1;
      const item = this.#packed[first];
      kept += item && isRun(item) ? runLength(item) : 1;
    }
    this.#packed = this.#packed.slice(first);
    this.#added = kept;
  }
}
