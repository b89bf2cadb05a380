/**
 * The whole log as columns: mostly six bytes for each entry, whatever its message weighs. Lanes are drawn and filters are
 * answered from here, so that a million entries can be looked at without being in memory.
 */
import type { Entry } from '../log/entry/entry.ts';
import { entryAt, isRun, lastSeqOf, runLength, type EntryRun, type Packed } from '../log/entry/entryRun.ts';
import { Column } from './column.ts';
import { Exchanges } from './exchanges.ts';
import { Shapes, type Shape } from './shape.ts';

const BITS = 12;
const CHUNK = 1 << BITS;
const MASK = CHUNK - 1;

/** Times count from that of the first entry, and numbers mostly follow each other: eight bytes less for each entry. */
interface Chunk {
  readonly firstSeq: number;
  readonly firstTime: number;
  readonly sinceFirst: Column;
  readonly shape: Column;
  readonly sizeBytes: Column;
  /** Where numbers do not follow each other. */
  seqs?: Uint32Array;
}

/** A block is a stretch of entries that is drawn, or passed over, at once where it can be. */
const BLOCK_BITS = 5;
/** Of a block with more shapes than this nothing is known but its entries. */
const KNOWN_SHAPES = 6;

export class LogIndex {
  readonly shapes = new Shapes();
  readonly exchanges = new Exchanges();
  readonly #chunks: Chunk[] = [];
  readonly #durations = new Map<number, number>();
  readonly #blocks: (readonly number[])[] = [];
  readonly #alone: (readonly number[])[] = [];
  #length = 0;
  #latest = -Infinity;

  get length(): number {
    return this.#length;
  }

  get lastSeq(): number {
    return this.#length === 0 ? 0 : this.seqAt(this.#length - 1);
  }

  /** Adds what is newer than everything here; the rest is passed over. */
  add(items: readonly Packed[]): void {
    let { lastSeq } = this;
    for (const item of items) {
      if (lastSeqOf(item) <= lastSeq) continue;
      if (isRun(item)) this.#pushRun(item, Math.max(0, lastSeq + 1 - item.firstSeq));
      else this.#push(item);
      lastSeq = lastSeqOf(item);
    }
  }

  seqAt(i: number): number {
    const chunk = this.#chunks[i >> BITS];
    if (!chunk || i >= this.#length) return 0;
    return chunk.seqs?.[i & MASK] ?? chunk.firstSeq + (i & MASK);
  }

  /** Never earlier than the entry before: a clock that was set back does not bend the lanes. */
  timeAt(i: number): number {
    const chunk = this.#chunks[i >> BITS];
    if (!chunk || i >= this.#length) return 0;
    return chunk.firstTime + chunk.sinceFirst.at(i & MASK);
  }

  shapeNumberAt(i: number): number {
    return this.#chunks[i >> BITS]?.shape.at(i & MASK) ?? 0;
  }

  shapeAt(i: number): Shape {
    return this.shapes.at(this.shapeNumberAt(i));
  }

  sizeAt(i: number): number {
    return this.#chunks[i >> BITS]?.sizeBytes.at(i & MASK) ?? 0;
  }

  durationOf(seq: number): number | undefined {
    return this.#durations.get(seq);
  }

  /** How far from `i` on all entries have the shape of `i`, as far as that can be told at once. */
  alikeUntil(i: number): number {
    return this.#blocks[i >> BLOCK_BITS]?.length === 1 ? this.blockEnd(i) : i + 1;
  }

  /** The end of the block that `i` is in. */
  blockEnd(i: number): number {
    return Math.min(this.#length, ((i >> BLOCK_BITS) + 1) << BLOCK_BITS);
  }

  /** The shapes in the block that `i` begins, if they are few; of a part of a block they are not known. */
  shapesInBlock(i: number): readonly number[] | undefined {
    const shapes = this.#blocks[i >> BLOCK_BITS];
    const isBegin = (i & ((1 << BLOCK_BITS) - 1)) === 0;
    return isBegin && shapes && shapes.length <= KNOWN_SHAPES ? shapes : undefined;
  }

  /** The position of the first entry with this number, or after it. */
  positionOf(seq: number): number {
    return this.#lowerBound((i) => this.seqAt(i) < seq);
  }

  /** The position of the first entry at this time, or after it. */
  positionAt(time: number): number {
    return this.#lowerBound((i) => this.timeAt(i) < time);
  }

  #lowerBound(isBefore: (i: number) => boolean): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #push(entry: Entry): void {
    this.#put(entry.seq, entry.at, this.shapes.numberOf(entry), sizeOf(entry));
    const took = this.exchanges.apply(entry);
    if (!took) return;
    this.#durations.set(entry.seq, took.durationMs);
    if (took.began !== undefined && !this.#durations.has(took.began)) {
      this.#durations.set(took.began, took.durationMs);
    }
  }

  /** A run from one of its entries on. Nothing of it ends an exchange. */
  #pushRun(run: EntryRun, from: number): void {
    const { firstSeq, times, shapeOf, raw } = run;
    const numbers = run.shapes.map((_, shape) =>
      this.shapes.numberOf(entryAt(run, shapeOf?.indexOf(shape) ?? 0)),
    );
    let begin = 0;
    for (let k = 0; k < times.length; k += 2) {
      const at = times[k] ?? 0;
      const end = begin + (times[k + 1] ?? 0);
      for (let i = Math.max(begin, from); i < end; i += 1) {
        const size = (raw.ends[i] ?? 0) - (i === 0 ? 0 : (raw.ends[i - 1] ?? 0));
        this.#put(firstSeq + i, at, numbers[shapeOf?.[i] ?? 0] ?? 0, size);
      }
      begin = end;
    }
    this.exchanges.applyRun(run, runLength(run) - from);
  }

  #put(seq: number, at: number, shape: number, sizeBytes: number): void {
    const i = this.#length & MASK;
    this.#latest = Math.max(this.#latest, at);
    if (i === 0) this.#chunks.push(emptyChunk(seq, this.#latest));
    const chunk = this.#chunks[this.#length >> BITS];
    if (!chunk) return;
    setSeq(chunk, i, seq);
    chunk.sinceFirst.set(i, this.#latest - chunk.firstTime);
    chunk.shape.set(i, shape);
    chunk.sizeBytes.set(i, sizeBytes);
    this.#noteShape(this.#length >> BLOCK_BITS, shape);
    this.#length += 1;
  }

  /** Blocks with one shape share one list of it. */
  #noteShape(block: number, shape: number): void {
    const shapes = this.#blocks[block];
    if (!shapes) this.#blocks[block] = this.#alone[shape] ??= [shape];
    else if (shapes.length <= KNOWN_SHAPES && !shapes.includes(shape))
      this.#blocks[block] = [...shapes, shape];
  }
}

function emptyChunk(firstSeq: number, firstTime: number): Chunk {
  return {
    firstSeq,
    firstTime,
    sinceFirst: new Column(CHUNK),
    shape: new Column(CHUNK),
    sizeBytes: new Column(CHUNK),
  };
}

function setSeq(chunk: Chunk, i: number, seq: number): void {
  if (!chunk.seqs && seq !== chunk.firstSeq + i) {
    chunk.seqs = Uint32Array.from({ length: CHUNK }, (_, k) => (k < i ? chunk.firstSeq + k : 0));
  }
  if (chunk.seqs) chunk.seqs[i] = seq;
}

/** The size of the message, in characters as they are stored. */
function sizeOf(entry: Entry): number {
  return 'raw' in entry ? entry.raw.length : 0;
}
