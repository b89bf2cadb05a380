/** Writes a log to a store: entries and head in one transaction, the next batch while the last one is under way. */
import { Emitter } from '../base/emitter.ts';
import { VERSION, type Entry } from '../log/entry.ts';
import type { Log } from '../log/log.ts';
import type { Reason } from '../log/reason.ts';
import { headKey, segmentKey, segmentRecord, type HeadRecord, type SegmentInfo } from './records.ts';
import { Segmenter, totals } from './segmenter.ts';
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

const DEFAULT_LIMITS: LogLimits = { entries: 1_000_000, sizeBytes: 256_000_000 };

/** Cloning more than this in one go would hold up a frame. */
const SEGMENTS_AT_ONCE = 16;

export class LogWriter {
  /** More is on disk now. Other tabs are told of nothing earlier. */
  readonly stored = new Emitter<undefined>();
  readonly #store: Store;
  readonly #log: Log;
  readonly #limits: LogLimits;
  readonly #whenHere: () => Promise<void>;
  readonly #segmenter: Segmenter;
  readonly #stopListening: () => void;
  #pending: Entry[] = [];
  #writing: Promise<void> | undefined;
  #storedThrough: number;
  #storedSegments: readonly SegmentInfo[];
  #warned = false;

  constructor(
    store: Store,
    log: Log,
    index: Pick<HeadRecord, 'segments'>,
    { limits = DEFAULT_LIMITS, whenHere = () => Promise.resolve() }: LogWriterOptions = {},
  ) {
    this.#store = store;
    this.#log = log;
    this.#limits = limits;
    this.#whenHere = whenHere;
    this.#segmenter = new Segmenter(index.segments);
    this.#storedSegments = index.segments;
    this.#storedThrough = log.head.nextSeq - 1;
    this.#stopListening = log.appended.on((entries) => {
      for (const entry of entries) this.#pending.push(entry);
      this.#writing ??= this.#write();
    });
  }

  /** What is on disk: not yet what is on its way there. */
  get segments(): readonly SegmentInfo[] {
    return this.#storedSegments;
  }

  /** Resolves when everything that was appended before the call is stored. */
  flushed(): Promise<void> {
    const last = this.#log.head.nextSeq - 1;
    if (this.#storedThrough >= last) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.stored.on(() => {
        if (this.#storedThrough < last) return;
        stop();
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#stopListening();
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        // At the least a moment: what is appended in one go should be stored in one go.
        await this.#whenHere();
        await this.#writeBatch();
      }
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    const touched = this.#segmenter.add(batch);
    const evicted = this.#evictIfFull();
    const { server } = this.#log;
    const head: HeadRecord = {
      v: VERSION,
      head: this.#log.head.snapshot(),
      segments: this.#segmenter.segments,
    };
    const records = touched.map(({ n, entries }) => [segmentKey(server, n), segmentRecord(entries)] as const);
    // A segment that no head knows of does not exist yet, so a large batch can be written in pieces, head last.
    while (records.length > SEGMENTS_AT_ONCE) await this.#store.write(records.splice(0, SEGMENTS_AT_ONCE));
    await this.#store.write(
      [...records, [headKey(server), head]],
      evicted.map(({ n }) => segmentKey(server, n)),
    );
    this.#storedThrough = batch.at(-1)?.seq ?? this.#storedThrough;
    this.#storedSegments = head.segments;
    this.stored.emit(undefined);
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
    const evicted = this.#segmenter.evict(keep, this.#log.head.neededSince());
    if (evicted.length > 0) {
      const { entries: removed } = totals(evicted);
      this.#note({ code: 'log-full', removed });
    }
    return evicted;
  }

  #note(reason: Reason): void {
    // Appending from inside a write would fold the note into a head that must not know it yet.
    queueMicrotask(() => this.#log.append({ body: { kind: 'note', level: 'warn', reason } }));
  }
}
