/**
 * Frames become entries, entries are folded into the state, and both are stored together: in one thread, so that a stored
 * event ID is never ahead of the stored entries.
 */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { Entry } from '../log/entry/entry.ts';
import { Log } from '../log/log.ts';
import { LogReader } from '../storage/logReader.ts';
import { LogWriter } from '../storage/logWriter.ts';
import type { SegmentInfo } from '../storage/records.ts';
import { EventParser } from '../wire/eventParser.ts';
import type { Frame } from '../wire/exchange.ts';
import type { Redactor } from '../wire/redact.ts';
import { MessageForms } from './messageForms.ts';
import { recordFrames } from './recordFrames.ts';
import { ReplayFilter, type SeenEvents } from './replayFilter.ts';
import { RunWatch } from './runWatch.ts';
import { seedReplayFilter } from './seedReplayFilter.ts';
import type { EventsOf, FramesOf, LogOptions, Recorded, RecordedEvents, StoredIndex } from './serverLog.ts';

/** A recorder needs the time alone. */
export interface CoreOptions extends Omit<LogOptions, 'clock'> {
  readonly clock: Pick<Clock, 'now'>;
}

/** Records what one HTTP exchange brings. */
export interface CoreExchange {
  events(bytes: Uint8Array, of: EventsOf): RecordedEvents;
  record(frames: readonly Frame[], of: FramesOf): Recorded;
}

export class LogCore {
  readonly log: Log;
  readonly stored = new Emitter<undefined>();
  readonly redactor: Redactor;
  readonly #options: CoreOptions;
  readonly #seen = new ReplayFilter();
  #writer: LogWriter | undefined;
  #segments: readonly SegmentInfo[] = [];

  constructor(options: CoreOptions) {
    const { server, clock, restored, redactor } = options;
    this.#options = options;
    this.redactor = redactor;
    this.log = new Log(server, clock, restored, (body) => redactor.body(body));
  }

  get segments(): readonly SegmentInfo[] {
    return this.#writer?.segments ?? this.#segments;
  }

  openExchange(listens: boolean): CoreExchange {
    const runs = new RunWatch(listens);
    const forms = new MessageForms();
    const parser = new EventParser();
    const { log, redactor } = this;
    const seen = this.#seen;
    const record = (frames: readonly Frame[], of: FramesOf): Recorded => {
      const { calls, streams } = log.state;
      const cursor = streams.get(of.stream)?.cursor;
      const context = { ...of, listens, seen, runs, forms, redactor, calls, cursor };
      const { drafts, ...recorded } = recordFrames(frames, context);
      log.appendAll(drafts);
      return recorded;
    };
    return {
      record,
      events(bytes, { hasEventIds, ...of }) {
        const { frames, ...hints } = parser.feed(bytes);
        if (frames.length === 0) return hints;
        return {
          ...hints,
          recorded: record(hasEventIds ? frames : frames.map(({ data }) => ({ data })), of),
        };
      },
    };
  }

  get seenEvents(): SeenEvents {
    return this.#seen.events;
  }

  /** Of a recorder that has ended. */
  knowEvents(events: SeenEvents): void {
    this.#seen.takeOver(events);
  }

  forgetEvents(): void {
    this.#seen.clear();
  }

  /** @param since the first entry of the session, if it began on this page */
  async recallEvents(since = 0): Promise<void> {
    await this.flushed();
    await seedReplayFilter(this.#seen, this.log.state, (seq) => this.#entriesSince(Math.max(seq, since)));
  }

  flushed(): Promise<void> {
    return this.#writer?.flushed() ?? Promise.resolve();
  }

  /** @param unstored what is recorded already, and not stored */
  write(index: StoredIndex, unstored: readonly Entry[] = []): void {
    const { store } = this.#options;
    if (!store) return;
    this.#writer = new LogWriter(store, this.log, index, this.#options, unstored);
    this.#writer.stored.on(() => this.stored.emit(undefined));
  }

  async stopWriting(): Promise<void> {
    await this.#writer?.close();
    this.#segments = this.segments;
    this.#writer = undefined;
  }

  async free(keepBytes: number): Promise<void> {
    await this.#writer?.free(keepBytes);
  }

  async *#entriesSince(seq: number): AsyncGenerator<readonly Entry[]> {
    const { store, server } = this.#options;
    const { tail } = this.log;
    if (store && this.#writer) yield* new LogReader(store, server).entriesSince(this.segments, seq);
    else yield tail.filter((entry) => entry.seq >= seq);
  }
}
