/** Cuts the log into records: one key for each entry costs 27 times as much as one for each few hundred. */
import { carriesMessage } from '../log/entry/entryKinds.ts';
import { isRun, lastSeqOf, runLength, type Packed } from '../log/entry/entryRun.ts';
import type { SegmentInfo } from './records.ts';

const SEGMENT_ENTRIES = 500;
/** The newest segment is written again with every batch until it is full, so it must stay small. */
const SEGMENT_BYTES = 96_000;
/** What comes in one batch is written once: of it a segment may hold more, and fewer writes cost less. */
const BATCH_ENTRIES = 1000;
const BATCH_BYTES = 400_000;
/** What an entry takes beside its text, roughly: only the limits depend on it. */
const ENTRY_OVERHEAD_BYTES = 120;

export interface OpenSegment {
  readonly n: number;
  readonly items: Packed[];
  first: number;
  last: number;
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
  add(batch: readonly Packed[]): readonly OpenSegment[] {
    const touched = new Set<OpenSegment>();
    if (this.#holds(SEGMENT_ENTRIES, SEGMENT_BYTES)) this.#close();
    for (const item of batch) {
      if (this.#holds(BATCH_ENTRIES, BATCH_BYTES)) this.#close();
      put(this.#open, item);
      touched.add(this.#open);
    }
    return [...touched];
  }

  get segments(): readonly SegmentInfo[] {
    return this.#open.items.length === 0 ? this.#closed : [...this.#closed, infoOf(this.#open)];
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

  /** So many entries, or so many bytes. */
  #holds(entries: number, sizeBytes: number): boolean {
    const { items, first, last } = this.#open;
    return items.length > 0 && (last - first + 1 >= entries || this.#open.sizeBytes >= sizeBytes);
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
  return { n, items: [], first: 0, last: 0, sizeBytes: 0 };
}

function put(segment: OpenSegment, item: Packed): void {
  if (segment.items.length === 0) segment.first = isRun(item) ? item.firstSeq : item.seq;
  segment.items.push(item);
  segment.last = lastSeqOf(item);
  segment.sizeBytes += sizeOf(item);
}

function infoOf({ n, first, last, sizeBytes }: OpenSegment): SegmentInfo {
  return { n, first, last, sizeBytes };
}

function sizeOf(item: Packed): number {
  if (isRun(item)) return item.raw.text.length + runLength(item) * ENTRY_OVERHEAD_BYTES;
  const text = carriesMessage(item) ? item.raw.length : 0;
  return text + ENTRY_OVERHEAD_BYTES;
}
