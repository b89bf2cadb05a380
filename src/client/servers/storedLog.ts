/** The log of one server as it is on disk: written by the tab that leads, read along by the others. */
import type { Entry } from '../../log/entry/entry.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { LogReader, RestoredIndex, RestoredLog } from '../../storage/logReader.ts';
import { walk, type LogSource } from '../../timeline/logSource.ts';

export class StoredLog {
  /** The entries, for whoever looks at them. */
  readonly source: LogSource;
  readonly #log: ServerLog;
  readonly #reader: LogReader;
  /** Another tab has written these. */
  readonly #onFollowed: (entries: readonly Entry[]) => Promise<void>;
  #segments: RestoredIndex['segments'];
  /** What could not be read, to be told by the tab that writes. */
  #damage: RestoredIndex['damage'];
  #following: Promise<void> | undefined;
  #behind = false;

  constructor(
    log: ServerLog,
    reader: LogReader,
    restored: RestoredLog,
    onFollowed: (entries: readonly Entry[]) => Promise<void>,
  ) {
    this.#log = log;
    this.#reader = reader;
    this.#segments = restored.segments;
    this.#damage = restored.damage;
    this.#onFollowed = onFollowed;
    this.source = this.#makeSource();
  }

  get segments(): RestoredIndex['segments'] {
    return this.#log.isWritten ? this.#log.segments : this.#segments;
  }

  /** Does this tab write it? */
  get isWritten(): boolean {
    return this.#log.isWritten;
  }

  flushed(): Promise<void> {
    return this.#log.flushed();
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
  async lead(): Promise<RestoredIndex> {
    await this.#following;
    const index = await this.#reader.index();
    const damage = [...(index.damage.length > 0 ? index.damage : this.#damage)];
    this.#damage = [];
    await this.#catchUp(index, damage);
    await this.#log.write(index);
    return { ...index, damage };
  }

  /** Reads what the leader has stored since. What comes while it reads is read after that. */
  follow(): void {
    this.#behind = true;
    this.#following ??= (async () => {
      while (this.#behind && !this.isWritten) {
        this.#behind = false;
        await this.#catchUp(await this.#reader.index());
      }
    })().finally(() => {
      this.#following = undefined;
    });
  }

  /** Removes the oldest entries until so much is left. */
  async free(keepBytes: number): Promise<void> {
    await this.#log.free(keepBytes);
  }

  async close(): Promise<void> {
    await this.#log.stopWriting();
  }

  /** From now on this tab doesn't write. */
  async follows(): Promise<void> {
    await this.#log.stopWriting();
    this.#segments = this.#log.segments;
  }

  async #catchUp({ segments }: RestoredIndex, damage: Reason[] = []): Promise<void> {
    this.#segments = segments;
    const { nextSeq } = this.#log.state;
    for await (const entries of this.#reader.entriesSince(segments, nextSeq, damage)) {
      await this.#log.adopt(entries);
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
