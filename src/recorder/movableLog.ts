/**
 * A log that is recorded on the page until there is enough to do for a worker: a page that is only reloaded, and looked at,
 * starts none. While it moves, what it is told waits.
 */
import type { Emitter } from '../base/emitter.ts';
import type { JsonObject } from '../base/json.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { EntryBatch } from '../log/entry/entryBatch.ts';
import type { ServerState } from '../log/state/serverState.ts';
import type { Transition } from '../log/state/transition.ts';
import type { SegmentInfo } from '../storage/records.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { LocalLog } from './localLog.ts';
import type { HandedOver } from './remoteLog.ts';
import type { ExchangeRecorder, ServerLog, StoredIndex } from './serverLog.ts';

/** Streams that bring more than this are worth a worker, even if no call was made. */
const MANY_BYTES = 65_536;

/** Opens the log where it goes. */
export type OpenElsewhere = (handed: HandedOver) => ServerLog;

interface OpenExchange {
  readonly listens: boolean;
  recorder: ExchangeRecorder;
}

export class MovableLog implements ServerLog {
  readonly server: string;
  readonly appended: Emitter<EntryBatch>;
  readonly changed: Emitter<readonly Transition[]>;
  readonly stored: Emitter<undefined>;
  readonly #here: LocalLog;
  readonly #exchanges = new Set<OpenExchange>();
  #log: ServerLog;
  /** Given while it moves. */
  #waiting: (() => void)[] | undefined;
  /** Called once, when there is enough to do. */
  #onBusy: ((log: MovableLog) => void) | undefined;
  #eventBytes = 0;
  #isWritten = false;

  constructor(here: LocalLog, onBusy: (log: MovableLog) => void) {
    this.#here = here;
    this.#log = here;
    this.#onBusy = onBusy;
    this.server = here.server;
    this.appended = here.appended;
    this.changed = here.changed;
    this.stored = here.stored;
  }

  get state(): ServerState {
    return this.#log.state;
  }

  get tail(): readonly Entry[] {
    return this.#log.tail;
  }

  get segments(): readonly SegmentInfo[] {
    return this.#log.segments;
  }

  get isWritten(): boolean {
    return this.#isWritten;
  }

  async moveTo(open: OpenElsewhere): Promise<void> {
    const waiting: (() => void)[] = [];
    this.#waiting = waiting;
    try {
      this.#log = open(await this.#here.handOver());
      for (const exchange of this.#exchanges) exchange.recorder = this.#log.openExchange(exchange.listens);
    } finally {
      this.#waiting = undefined;
      for (const give of waiting) give();
    }
  }

  append(...drafts: readonly Draft[]): void {
    void this.#give((log) => log.append(...drafts));
    if (drafts.some(({ body }) => body.kind === 'call' && body.change.name === 'sending')) this.#tellBusy();
  }

  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void {
    void this.#give((log) => log.beginLoad(reason, pageLeftAt));
  }

  adopt(entries: readonly Entry[]): Promise<void> {
    return this.#give((log) => log.adopt(entries));
  }

  attachResult(callId: string, message: JsonObject | undefined): Promise<void> {
    return this.#give((log) => log.attachResult(callId, message));
  }

  folded(): Promise<void> {
    return this.#give((log) => log.folded());
  }

  flushed(): Promise<void> {
    return this.#give((log) => log.flushed());
  }

  openExchange(listens: boolean): ExchangeRecorder {
    const exchange: OpenExchange = { listens, recorder: this.#log.openExchange(listens) };
    this.#exchanges.add(exchange);
    return {
      events: (bytes, of) => {
        this.#eventBytes += bytes.length;
        if (this.#eventBytes > MANY_BYTES) this.#tellBusy();
        return this.#give(() => exchange.recorder.events(bytes, of));
      },
      record: (frames, of) => this.#give(() => exchange.recorder.record(frames, of)),
      // In turn: what waits while the log moves is recorded there.
      close: () =>
        void this.#give(() => {
          this.#exchanges.delete(exchange);
          exchange.recorder.close();
        }),
    };
  }

  reads(fetch: Fetch): Fetch {
    return (url, init) => (this.#log.reads?.(fetch) ?? fetch)(url, init);
  }

  forgetEvents(): void {
    void this.#give((log) => log.forgetEvents());
  }

  recallEvents(): Promise<void> {
    return this.#give((log) => log.recallEvents());
  }

  write(stored: StoredIndex): Promise<void> {
    this.#isWritten = true;
    return this.#give((log) => log.write(stored));
  }

  stopWriting(): Promise<void> {
    this.#isWritten = false;
    return this.#give((log) => log.stopWriting());
  }

  free(keepBytes: number): Promise<void> {
    return this.#give((log) => log.free(keepBytes));
  }

  #give<T>(give: (log: ServerLog) => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        Promise.resolve(give(this.#log)).then(resolve, reject);
      };
      if (this.#waiting) this.#waiting.push(run);
      else run();
    });
  }

  #tellBusy(): void {
    const tell = this.#onBusy;
    this.#onBusy = undefined;
    tell?.(this);
  }
}
