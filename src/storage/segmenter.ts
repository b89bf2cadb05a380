/** Cuts the log into records: one key for each entry costs 27 times as much as one for each few hundred. */
import type { Entry } from '../log/entry/entry.ts';
import { carriesMessage } from '../log/entry/entryKinds.ts';
import type { SegmentInfo } from './records.ts';

const SEGMENT_ENTRIES = 500;
/** The newest segment is written again with every batch until it is full, so it must stay small. */
const SEGMENT_BYTES = 96_000;
/** What an entry takes beside its text, roughly: only the limits depend on it. */
const ENTRY_OVERHEAD_BYTES = 120;

export interface OpenSegment {
  readonly n: number;
  readonly entries: Entry[];
  sizeBytes: number;
}

export class Segmenter {
  #closed: SegmentInfo[];
  #open: OpenSegment;

  constructor(segments: readonly SegmentInfo[] = []) {
    this.#closed = [...segments];
    this.#open = empty((this.#closed.at(-1)?.n ?? 0) + 1);
  }

  /** Adds a batch and returns the segments that must be written for it. */
  add(entries: readonly Entry[]): readonly OpenSegment[] {
    const touched = new Set<OpenSegment>();
    for (const entry of entries) {
      if (this.#isFull()) this.#close();
      this.#open.entries.push(entry);
      this.#open.sizeBytes += sizeOf(entry);
      touched.add(this.#open);
    }
    return [...touched];
  }

  get segments(): readonly SegmentInfo[] {
    return this.#open.entries.length === 0 ? this.#closed : [...this.#closed, infoOf(this.#open)];
  }

  /** Takes the oldest segments out of the index, until at most `keep` is left of each measure. */
  evict(keep: { entries: number; sizeBytes: number }, neededSince: number): readonly SegmentInfo[] {
    const evicted: SegmentInfo[] = [];
    let { entries, sizeBytes } = totals(this.segments);
    for (const segment of this.#closed) {
      if (entries <= keep.entries && sizeBytes <= keep.sizeBytes) break;
      if (segment.last >= neededSince) break;
      evicted.push(segment);
      entries -= segment.last - segment.first + 1;
      sizeBytes -= segment.sizeBytes;
    }
    this.#closed = this.#closed.slice(evicted.length);
    return evicted;
  }

  #isFull(): boolean {
    return this.#open.entries.length >= SEGMENT_ENTRIES || this.#open.sizeBytes >= SEGMENT_BYTES;
  }

  #close(): void {
    this.#closed.push(infoOf(this.#open));
    this.#open = empty(this.#open.n + 1);
  }
}

export function totals(segments: readonly SegmentInfo[]): { entries: number; sizeBytes: number } {
  let entries = 0;
  let sizeBytes = 0;
  for (const segment of segments) {
    entries += segment.last - segment.first + 1;
    sizeBytes += segment.sizeBytes;
  }
  return { entries, sizeBytes };
}

function empty(n: number): OpenSegment {
  return { n, entries: [], sizeBytes: 0 };
}

function infoOf({ n, entries, sizeBytes }: OpenSegment): SegmentInfo {
  return { n, first: entries[0]?.seq ?? 0, last: entries.at(-1)?.seq ?? 0, sizeBytes };
}

function sizeOf(entry: Entry): number {
  const text = carriesMessage(entry) ? entry.raw.length : 0;
  return text + ENTRY_OVERHEAD_BYTES;
}
