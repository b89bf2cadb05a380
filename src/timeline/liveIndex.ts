/** The index of a log that grows: of what is in memory at once, of all of it when it was read through. */
import { createYielder } from '../base/yieldToEventLoop.ts';
import { Emitter } from '../base/emitter.ts';
import { LogIndex } from './logIndex.ts';
import { walk, type LogSource } from './logSource.ts';

export class LiveIndex {
  /** There is another index now, which knows more. */
  readonly replaced = new Emitter<LogIndex>();
  readonly #source: LogSource;
  #index = new LogIndex();
  #isWhole: boolean;
  #reading: Promise<LogIndex> | undefined;

  constructor(source: LogSource) {
    this.#source = source;
    this.#index.add(source.tail);
    const [oldest] = source.stored;
    this.#isWhole = oldest === undefined || (source.tail[0]?.seq ?? Infinity) <= oldest.first;
    source.appended.on(({ packed }) => this.#index.add(packed));
  }

  get index(): LogIndex {
    return this.#index;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads the log through, if that was not done. */
  whole(): Promise<LogIndex> {
    if (this.#isWhole) return Promise.resolve(this.#index);
    this.#reading ??= this.#readThrough();
    return this.#reading;
  }

  async #readThrough(): Promise<LogIndex> {
    const index = new LogIndex();
    const yieldIfDue = createYielder();
    for await (const entries of walk(this.#source)) {
      index.add(entries);
      await yieldIfDue();
    }
    // What came during the last breath is in memory.
    index.add(this.#source.tail);
    this.#index = index;
    this.#isWhole = true;
    this.replaced.emit(index);
    return index;
  }
}
