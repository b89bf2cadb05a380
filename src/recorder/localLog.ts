/** A log whose recorder runs in this thread. */
import type { Emitter } from '../base/emitter.ts';
import { errorMessage } from '../base/format.ts';
import type { JsonObject } from '../base/json.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { EntryBatch } from '../log/entry/entryBatch.ts';
import type { ServerState } from '../log/state/serverState.ts';
import type { Transition } from '../log/state/transition.ts';
import type { SegmentInfo } from '../storage/records.ts';
import { HeldBytes, type EventBytes } from '../wire/heldBytes.ts';
import { LogCore } from './logCore.ts';
import type { HandedOver } from './remoteLog.ts';
import type { ExchangeRecorder, OpenLog, ServerLog, StoredIndex } from './serverLog.ts';

export const openLocalLog = ((options) => new LocalLog(new LogCore(options))) satisfies OpenLog;

export class LocalLog implements ServerLog {
  readonly server: string;
  readonly appended: Emitter<EntryBatch>;
  readonly changed: Emitter<readonly Transition[]>;
  readonly stored: Emitter<undefined>;
  readonly #core: LogCore;
  /** What it was told to write to. */
  #written: StoredIndex | undefined;
  #eventsSince = 0;
  #recalled: Promise<void> = Promise.resolve();
  /** Given while listeners hear of what came before: it comes after that. */
  #waiting: (() => void)[] | undefined;

  constructor(core: LogCore) {
    this.#core = core;
    this.server = core.log.server;
    this.appended = core.log.appended;
    this.changed = core.log.changed;
    this.stored = core.stored;
  }

  get state(): ServerState {
    return this.#core.log.state;
  }

  get tail(): readonly Entry[] {
    return this.#core.log.tail;
  }

  get segments(): readonly SegmentInfo[] {
    return this.#core.segments;
  }

  get isWritten(): boolean {
    return this.#written !== undefined;
  }

  append(...drafts: readonly Draft[]): void {
    void this.#inTurn(() => this.#core.log.appendAll(drafts));
  }

  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void {
    void this.#inTurn(() => this.#core.log.beginLoad(reason, pageLeftAt));
  }

  adopt(entries: readonly Entry[]): Promise<void> {
    return this.#inTurn(() => this.#core.log.adopt(entries));
  }

  attachResult(callId: string, message: JsonObject | undefined): Promise<void> {
    return this.#inTurn(() => this.#core.log.attachResult(callId, message));
  }

  folded(): Promise<void> {
    return this.#inTurn(() => undefined);
  }

  flushed(): Promise<void> {
    return this.#inTurn(() => this.#core.flushed());
  }

  openExchange(listens: boolean): ExchangeRecorder {
    const exchange = this.#core.openExchange(listens);
    return {
      events: (bytes, of) => this.#inTurn(() => exchange.events(here(bytes), of)),
      record: (frames, of) => this.#inTurn(() => exchange.record(frames, of)),
      close: () => undefined,
    };
  }

  forgetEvents(): void {
    void this.#inTurn(() => {
      this.#eventsSince = this.state.nextSeq;
      this.#core.forgetEvents();
    });
  }

  recallEvents(): Promise<void> {
    return (this.#recalled = this.#inTurn(() => {
      this.#eventsSince = 0;
      return this.#core.recallEvents();
    }));
  }

  write(stored: StoredIndex): Promise<void> {
    this.#written = stored;
    return this.#inTurn(() => this.#core.write(stored));
  }

  stopWriting(): Promise<void> {
    this.#written = undefined;
    return this.#inTurn(() => this.#core.stopWriting());
  }

  free(keepBytes: number): Promise<void> {
    return this.#inTurn(() => this.#core.free(keepBytes));
  }

  /** Ends its recorder, when everything is stored: another one goes on. */
  async handOver(): Promise<HandedOver> {
    // What it doesn't know, the other one can't know either.
    await this.#recalled.catch(() => undefined);
    await this.#inTurn(() => this.#core.stopWriting());
    const { log, segments, stored, seenEvents: events } = this.#core;
    const index = this.#written && { ...this.#written, segments };
    return {
      mirror: { ...log.mirror, stored },
      events,
      ...(index && { written: { index, eventsSince: this.#eventsSince } }),
    };
  }

  #inTurn<T>(perform: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(perform());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(errorMessage(error)));
        }
      };
      if (this.#waiting) this.#waiting.push(run);
      else this.#runAll(run);
    });
  }

  #runAll(first: () => void): void {
    const waiting = [first];
    this.#waiting = waiting;
    for (const run of waiting) run();
    this.#waiting = undefined;
  }
}

function here(bytes: EventBytes): Uint8Array {
  if (bytes instanceof HeldBytes) throw new Error('These events are held for another recorder.');
  return bytes;
}
