/** The log of one server as it is on disk: written by the tab that leads, read along by the others. */
import type { Entry } from '../../log/entry/entry.ts';
import type { Log } from '../../log/log.ts';
import type { LogReader, RestoredLog } from '../../storage/logReader.ts';
import { LogWriter, type LogWriterOptions } from '../../storage/logWriter.ts';
import type { Store } from '../../storage/store.ts';
import { walk, type LogSource } from '../../timeline/logSource.ts';

export class StoredLog {
  /** The entries, for whoever looks at them. */
  readonly source: LogSource;
  readonly #log: Log;
  readonly #reader: LogReader;
  /** Another tab has written these. */
  readonly #onFollowed: (entries: readonly Entry[]) => Promise<void>;
  #segments: RestoredLog['segments'];
  #writer: LogWriter | undefined;
  #following: Promise<void> | undefined;
  #behind = false;

  constructor(
    log: Log,
    reader: LogReader,
    restored: RestoredLog,
    onFollowed: (entries: readonly Entry[]) => Promise<void>,
  ) {
    this.#log = log;
    this.#reader = reader;
    this.#segments = restored.segments;
    this.#onFollowed = onFollowed;
    this.source = this.#makeSource();
  }

  get segments(): RestoredLog['segments'] {
    return this.#writer?.segments ?? this.#segments;
  }

  /** Does this tab write it? */
  get isWritten(): boolean {
    return this.#writer !== undefined;
  }

  flushed(): Promise<void> {
    return this.#writer?.flushed() ?? Promise.resolve();
  }

  since(seq: number): AsyncIterable<readonly Entry[]> {
    return this.#reader.entriesSince(this.segments, seq);
  }

  async *entries(): AsyncGenerator<readonly Entry[]> {
    await this.flushed();
    yield* walk(this.source);
  }

  async newest(count: number, passes: (entry: Entry) => boolean): Promise<readonly Entry[]> {
    await this.flushed();
    let stored: readonly Entry[] = [];
    for (const info of [...this.segments].reverse()) {
      if (stored.length >= count) break;
      const [entries = []] = await this.#reader.read([info]);
      stored = [...entries.filter(passes), ...stored];
    }
    const last = stored.at(-1)?.seq ?? 0;
    return [...stored, ...this.#log.tail.filter((entry) => entry.seq > last && passes(entry))].slice(-count);
  }

  /** From now on this tab writes; the tab before it may have written after this one has read. */
  async lead(
    { store, ...options }: LogWriterOptions & { readonly store: Store },
    onStored: () => void,
  ): Promise<RestoredLog> {
    await this.#following;
    const restored = await this.#reader.restore();
    await this.#catchUp(restored);
    this.#writer = new LogWriter(store, this.#log, restored, options);
    this.#writer.stored.on(onStored);
    return restored;
  }

  /** Reads what the leader has stored since. What comes while it reads is read after that. */
  follow(): void {
    this.#behind = true;
    this.#following ??= (async () => {
      while (this.#behind && !this.#writer) {
        this.#behind = false;
        await this.#catchUp(await this.#reader.restore());
      }
    })().finally(() => {
      this.#following = undefined;
    });
  }

  /** Removes the oldest entries until so much is left. */
  async free(keepBytes: number): Promise<void> {
    await this.#writer?.free(keepBytes);
  }

  async close(): Promise<void> {
    await this.#writer?.close();
  }

  /** From now on this tab doesn't write. */
  async follows(): Promise<void> {
    const writer = this.#writer;
    await writer?.close();
    this.#segments = writer?.segments ?? this.#segments;
    this.#writer = undefined;
  }

  async #catchUp(restored: RestoredLog): Promise<void> {
    this.#segments = restored.segments;
    for await (const entries of this.#reader.entriesSince(restored.segments, this.#log.state.nextSeq)) {
      this.#log.adopt(entries);
      await this.#onFollowed(entries);
    }
  }

  #makeSource(): LogSource {
    const log = this.#log;
    const segments = () => this.segments;
    return {
      appended: log.appended,
      get tail() {
        return log.tail;
      },
      get stored() {
        return segments();
      },
      read: (ranges) =>
        this.#reader.read(segments().filter((info) => ranges.some(({ first }) => first === info.first))),
      flushed: () => this.flushed(),
    };
  }
}
