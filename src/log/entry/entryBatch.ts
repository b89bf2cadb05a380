/**
 * Entries that were appended together. Most listeners care for a few kinds of entries, which are never in runs: they look
 * at `others`, and a burst costs them nothing.
 */
import type { Entry } from './entry.ts';
import { isRun, samplesOf, type Packed } from './entryRun.ts';
import { unpackEntries } from './packedEntries.ts';

export class EntryBatch {
  readonly packed: readonly Packed[];
  #entries: readonly Entry[] | undefined;
  #others: readonly Entry[] | undefined;

  constructor(packed: readonly Packed[]) {
    this.packed = packed;
  }

  /** All of them, unpacked when they are first asked for. */
  get entries(): readonly Entry[] {
    return (this.#entries ??= unpackEntries(this.packed));
  }

  /** Those that aren't in runs: all that does more than to count. */
  get others(): readonly Entry[] {
    return (this.#others ??= this.packed.filter((item): item is Entry => !isRun(item)));
  }

  /** Those that aren't in runs, and of each run one entry for each of its shapes. */
  get samples(): readonly Entry[] {
    return this.packed.flatMap((item) => (isRun(item) ? samplesOf(item) : [item]));
  }
}
