/** Writes a log to a store: entries and state in one transaction, the next batch while the last one is under way. */
import { Emitter } from '../base/emitter.ts';
import { VERSION, type Entry } from '../log/entry/entry.ts';
import type { Packed } from '../log/entry/entryRun.ts';
import type { Log } from '../log/log.ts';
import type { Reason } from '../log/reasons/reason.ts';
import { logIndexKey, segmentKey, segmentRecord, type LogIndexRecord, type SegmentInfo } from './records.ts';
import { Segmenter, totals, type OpenSegment } from './segmenter.ts';
import type { Store } from './store.ts';

export interface LogLimits {
  readonly entries: number;
  readonly sizeBytes: number;
}

export interface LogWriterOptions {
  readonly limits?: LogLimits;
  /** Resolves while the page is not being left: what it sees after that is its own end, and not to be kept. */
  readonly whenHere?: () => Promise<void>;
}

/** Bytes are limited over all servers together: `storageLimit.ts`. */
const DEFAULT_LIMITS: LogLimits = { entries: 1_000_000, sizeBytes: Infinity };

/** Cloning more than this in one go would hold up a frame. */
const SEGMENTS_AT_ONCE = 8;

export class LogWriter {
  /** More is on disk now. Other tabs are told of nothing earlier. */
  readonly stored = new Emitter<undefined>();
  readonly #store: Store;
  readonly #log: Log;
  readonly #limits: LogLimits;
  readonly #whenHere: () => Promise<void>;
  readonly #segmenter: Segmenter;
  readonly #isImported: true | undefined;
  readonly #stopListening: () => void;
  #pending: Packed[] = [];
  #writing: Promise<void> | undefined;
  #storedThrough: number;
  #storedSegments: readonly SegmentInfo[];
  #warned = false;
  /** Another server needs room. */
  #wantedBytes: number | undefined;
  #isClosed = false;

  constructor(
    store: Store,
    log: Log,
    index: Pick<LogIndexRecord, 'segments' | 'isImported'>,
    { limits = DEFAULT_LIMITS, whenHere = () => Promise.resolve() }: LogWriterOptions = {},
    unstored: readonly Entry[] = [],
  ) {
    this.#store = store;
    this.#log = log;
    this.#limits = limits;
    this.#whenHere = whenHere;
    this.#segmenter = new Segmenter(index.segments);
    this.#storedSegments = index.segments;
    this.#isImported = index.isImported;
    this.#storedThrough = (unstored[0]?.seq ?? log.state.nextSeq) - 1;
    this.#pending = [...unstored];
    this.#stopListening = log.appended.on(({ packed }) => {
      for (const item of packed) this.#pending.push(item);
      this.#writing ??= this.#write();
    });
    if (unstored.length > 0) this.#writing = this.#write();
  }

  /** What is on disk: not yet what is on its way there. */
  get segments(): readonly SegmentInfo[] {
    return this.#storedSegments;
  }

  /** Resolves when everything that was appended before the call is stored; nothing is, once this is closed. */
  flushed(): Promise<void> {
    const last = this.#log.state.nextSeq - 1;
    if (this.#storedThrough >= last) return Promise.resolve();
    if (this.#isClosed) return this.#writing ?? Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.stored.on(() => {
        if (this.#storedThrough < last) return;
        stop();
        resolve();
      });
    });
  }

  /** Removes the oldest entries until so much is left, as far as no open call needs them. */
  async free(keepBytes: number): Promise<void> {
    if (this.#isClosed) return;
    this.#wantedBytes = keepBytes;
    this.#writing ??= this.#write();
    await this.#writing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending.length > 0 || this.#wantedBytes !== undefined) {
        // At the least a moment: what is appended in one go should be stored in one go.
        await this.#whenHere();
        await this.#writeBatch();
      }
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeBatch(): Promise<void> {
    const touched = new Set(this.#segmenter.add(this.#take()));
    const evicted = [...this.#evictWanted(), ...this.#evictIfFull()];
    // What says that entries were removed is stored together with their removal.
    for (const segment of this.#segmenter.add(this.#take())) touched.add(segment);
    const { server, state: folded } = this.#log;
    const through = folded.nextSeq - 1;
    const index: LogIndexRecord = {
      v: VERSION,
      head: folded.snapshot(),
      segments: this.#segmenter.segments,
      ...(this.#isImported && { isImported: true }),
    };
    const left = [...touched];
    const recordOf = ({ n, items }: OpenSegment) => [segmentKey(server, n), segmentRecord(items)] as const;
    // A segment that no index knows of does not exist yet, so a large batch can be written in pieces, the index last.
    while (left.length > SEGMENTS_AT_ONCE) {
      await this.#store.write(left.splice(0, SEGMENTS_AT_ONCE).map(recordOf));
    }
    await this.#store.write(
      [...left.map(recordOf), [logIndexKey(server), index]],
      evicted.map(({ n }) => segmentKey(server, n)),
    );
    this.#storedThrough = through;
    this.#storedSegments = index.segments;
    this.stored.emit(undefined);
  }

  #take(): readonly Packed[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  #evictWanted(): readonly SegmentInfo[] {
    const sizeBytes = this.#wantedBytes;
    this.#wantedBytes = undefined;
    if (sizeBytes === undefined) return [];
    const keep = { entries: Infinity, sizeBytes };
    return this.#evict(keep, 'storage-full');
  }

  #evictIfFull(): readonly SegmentInfo[] {
    const { entries, sizeBytes } = totals(this.#segmenter.segments);
    const fill = Math.max(entries / this.#limits.entries, sizeBytes / this.#limits.sizeBytes);
    if (fill < 0.8) {
      this.#warned = false;
      return [];
    }
    if (fill < 1) {
      if (!this.#warned) {
        this.#note({ code: 'log-full' });
      }
      this.#warned = true;
      return [];
    }
    const keep = { entries: this.#limits.entries * 0.9, sizeBytes: this.#limits.sizeBytes * 0.9 };
    return this.#evict(keep, 'log-full');
  }

  #evict(keep: LogLimits, code: 'log-full' | 'storage-full'): readonly SegmentInfo[] {
    const evicted = this.#segmenter.evict(keep, this.#log.state.neededSince());
    const removedThrough = evicted.at(-1)?.last;
    if (removedThrough === undefined) return [];
    this.#note({ code, removed: totals(evicted).entries }, removedThrough);
    return evicted;
  }

  #note(reason: Reason, removedThrough?: number): void {
    this.#log.append({
      body: { kind: 'note', level: 'warn', reason, ...(removedThrough !== undefined && { removedThrough }) },
    });
  }
}
