/**
 * A log whose recorder runs elsewhere. What is read here is a mirror, which may be behind the recorder; it has what led to
 * an answer before the answer comes. Orders are kept until they are carried out, so another recorder can go on with them.
 */
import { Emitter } from '../base/emitter.ts';
import type { JsonObject } from '../base/json.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import { EntryBatch } from '../log/entry/entryBatch.ts';
import { lastSeqOf, type Packed } from '../log/entry/entryRun.ts';
import { unpackEntries } from '../log/entry/packedEntries.ts';
import type { LogMirror, Restored } from '../log/log.ts';
import { MutableServerState } from '../log/state/mutableServerState.ts';
import type { ServerState } from '../log/state/serverState.ts';
import type { Transition } from '../log/state/transition.ts';
import { Tail } from '../log/tail.ts';
import type { SegmentInfo } from '../storage/records.ts';
import { HeldBytes } from '../wire/heldBytes.ts';
import type { Channel, Command, Order, Report } from './messages.ts';
import { OrderBook } from './orderBook.ts';
import type { SeenEvents } from './replayFilter.ts';
import type {
  ExchangeRecorder,
  LogOptions,
  Recorded,
  RecordedEvents,
  ServerLog,
  StoredIndex,
} from './serverLog.ts';
import { applyChange } from './stateChanges.ts';

/** What another recorder needs to go on. */
export interface Remains {
  readonly restored: Restored;
  /** If this tab writes the log. */
  readonly written?: {
    readonly index: StoredIndex;
    readonly unstored: readonly Entry[];
    /** Event IDs of entries before this one are of an earlier session. */
    readonly eventsSince: number;
  };
}

/** A log that was recorded by another one until now, which writes no more. */
export interface HandedOver {
  readonly mirror: LogMirror & { readonly stored: Emitter<undefined> };
  readonly events: SeenEvents;
  /** If this tab writes the log. */
  readonly written?: { readonly index: StoredIndex; readonly eventsSince: number };
}

export class RemoteLog implements ServerLog {
  readonly server: string;
  readonly appended: Emitter<EntryBatch>;
  readonly changed: Emitter<readonly Transition[]>;
  readonly stored: Emitter<undefined>;
  readonly #state: MutableServerState;
  readonly #orders: OrderBook;
  readonly #exchanges = new Map<number, boolean>();
  readonly #tail: Tail;
  #segments: readonly SegmentInfo[] = [];
  #isWritten = false;
  /** What the recorder writes to. */
  #written: StoredIndex | undefined;
  /** Recorded, and not yet on disk. */
  #unstored: Packed[] = [];
  #eventsSince = 0;
  #exchangesOpened = 0;

  /** What its redactor learns, the recorder learns before it records anything else. */
  constructor(
    { server, clock, redactor, restored }: Pick<LogOptions, 'server' | 'clock' | 'redactor' | 'restored'>,
    { mirror, written, events }: Partial<HandedOver> = {},
  ) {
    this.server = server;
    this.#orders = new OrderBook(clock);
    this.#state = mirror?.state ?? new MutableServerState(server, restored?.state);
    this.#tail = mirror?.tail ?? new Tail(restored?.tail);
    this.appended = mirror?.appended ?? new Emitter();
    this.changed = mirror?.changed ?? new Emitter();
    this.stored = mirror?.stored ?? new Emitter();
    if (written) {
      void this.write(written.index);
      this.#eventsSince = written.eventsSince;
    }
    // Not read back from disk: the next order may bring one of them again.
    if (events) this.#orders.give({ name: 'know-events', events });
    for (const learned of redactor.known) this.#orders.give({ name: 'protect', learned });
    redactor.learned.on((learned) => this.#orders.give({ name: 'protect', learned }));
  }

  get state(): ServerState {
    return this.#state;
  }

  get tail(): readonly Entry[] {
    return this.#tail.entries;
  }

  get segments(): readonly SegmentInfo[] {
    return this.#segments;
  }

  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** Has a recorder that knows what is in the mirror, as soon as it is ready. */
  attach(channel: Channel<Order, Report>, ready?: Promise<void>): void {
    channel.listen((report) => this.#hear(report));
    const exchanges = [...this.#exchanges].map(([exchange, listens]): Command => ({
      name: 'open-exchange',
      exchange,
      listens,
    }));
    this.#orders.attach(channel, exchanges, ready);
  }

  /** Its recorder has ended. */
  detach(): void {
    this.#orders.detach();
  }

  remains(): Remains {
    const index = this.#written && { ...this.#written, segments: this.#segments };
    const unstored = unpackEntries(this.#unstored).filter(({ seq }) => seq > this.#storedThrough);
    return {
      restored: { state: this.#state.wholeSnapshot(), tail: this.tail },
      // A write that is still to be carried out begins with what is on disk.
      ...(index &&
        !this.#orders.holds('write') && {
          written: { index, unstored, eventsSince: this.#eventsSince },
        }),
    };
  }

  append(...drafts: readonly Draft[]): void {
    this.#orders.give({ name: 'append', drafts });
  }

  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void {
    this.#orders.give({ name: 'begin-load', reason, ...(pageLeftAt !== undefined && { pageLeftAt }) });
  }

  async adopt(entries: readonly Entry[]): Promise<void> {
    await this.#orders.ask({ name: 'adopt', entries });
  }

  async attachResult(callId: string, message: JsonObject | undefined): Promise<void> {
    await this.#orders.ask({ name: 'attach-result', callId, message });
  }

  async folded(): Promise<void> {
    await this.#orders.ask({ name: 'fold' });
  }

  async flushed(): Promise<void> {
    await this.#orders.ask({ name: 'flush' });
  }

  openExchange(listens: boolean): ExchangeRecorder {
    const exchange = ++this.#exchangesOpened;
    this.#exchanges.set(exchange, listens);
    this.#orders.give({ name: 'open-exchange', exchange, listens });
    return {
      events: async (bytes, of) => {
        const recorded = await this.#orders.ask({ name: 'events', exchange, bytes, of });
        if (bytes instanceof HeldBytes) bytes.forget();
        return recorded as RecordedEvents;
      },
      record: async (frames, of) =>
        (await this.#orders.ask({ name: 'record', exchange, frames, of })) as Recorded,
      close: () => {
        this.#exchanges.delete(exchange);
        this.#orders.give({ name: 'close-exchange', exchange });
      },
    };
  }

  forgetEvents(): void {
    this.#eventsSince = this.#state.nextSeq;
    this.#orders.give({ name: 'forget-events' });
  }

  async recallEvents(): Promise<void> {
    this.#eventsSince = 0;
    await this.#orders.ask({ name: 'recall-events' });
  }

  async write(index: StoredIndex): Promise<void> {
    this.#isWritten = true;
    this.#written = index;
    this.#segments = index.segments;
    this.#unstored = [];
    await this.#orders.ask({ name: 'write', index });
  }

  async stopWriting(): Promise<void> {
    this.#isWritten = false;
    await this.#orders.ask({ name: 'stop-writing' });
    if (!this.#isWritten) this.#written = undefined;
  }

  async free(keepBytes: number): Promise<void> {
    await this.#orders.ask({ name: 'free', keepBytes });
  }

  #hear(report: Report): void {
    this.#orders.confirm(report.through);
    switch (report.type) {
      case 'folded':
        return this.#fold(report);
      case 'stored':
        this.#segments = report.segments;
        this.#unstored = this.#unstored.filter((item) => lastSeqOf(item) > this.#storedThrough);
        this.stored.emit(undefined);
        return;
      case 'answer':
        return this.#orders.answer(report.n, report.value);
      case 'failed':
        return this.#orders.fail(report.n, report.why);
    }
  }

  #fold({ change, packed, transitions }: Extract<Report, { type: 'folded' }>): void {
    applyChange(this.#state, change);
    this.#tail.add(packed);
    if (this.#written) for (const item of packed) this.#unstored.push(item);
    if (packed.length > 0) this.appended.emit(new EntryBatch(packed));
    if (transitions.length > 0) this.changed.emit(transitions);
  }

  get #storedThrough(): number {
    return this.#segments.at(-1)?.last ?? 0;
  }
}
