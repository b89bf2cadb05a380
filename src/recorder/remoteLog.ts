/**
 * A log whose recorder runs elsewhere. What is read here is a mirror, which may be behind the recorder; it has what led to
 * an answer before the answer comes.
 */
import { Emitter } from '../base/emitter.ts';
import type { JsonObject } from '../base/json.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import { EntryBatch } from '../log/entry/entryBatch.ts';
import type { Restored } from '../log/log.ts';
import { MutableServerState } from '../log/state/mutableServerState.ts';
import type { ServerState } from '../log/state/serverState.ts';
import type { Transition } from '../log/state/transition.ts';
import { Tail } from '../log/tail.ts';
import type { SegmentInfo } from '../storage/records.ts';
import type { Redactor } from '../wire/redact.ts';
import type { Channel, Command, Order, Report } from './messages.ts';
import type { ExchangeRecorder, Recorded, RecordedEvents, ServerLog, StoredIndex } from './serverLog.ts';
import { applyChange } from './stateChanges.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class RemoteLog implements ServerLog {
  readonly server: string;
  readonly appended = new Emitter<EntryBatch>();
  readonly changed = new Emitter<readonly Transition[]>();
  readonly stored = new Emitter<undefined>();
  readonly #channel: Channel<Order, Report>;
  readonly #state: MutableServerState;
  readonly #waiting = new Map<number, Waiting>();
  readonly #tail: Tail;
  #segments: readonly SegmentInfo[] = [];
  #isWritten = false;
  #orders = 0;
  #exchanges = 0;

  /** @param redactor what it learns, the recorder learns before it records anything else */
  constructor(
    server: string,
    channel: Channel<Order, Report>,
    redactor: Redactor,
    restored: Restored | undefined,
  ) {
    this.server = server;
    this.#channel = channel;
    this.#state = new MutableServerState(server, restored?.state);
    this.#tail = new Tail(restored?.tail);
    channel.listen((report) => this.#hear(report));
    for (const learned of redactor.known) this.#order({ name: 'protect', learned });
    redactor.learned.on((learned) => this.#order({ name: 'protect', learned }));
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

  append(...drafts: readonly Draft[]): void {
    this.#order({ name: 'append', drafts });
  }

  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void {
    this.#order({ name: 'begin-load', reason, ...(pageLeftAt !== undefined && { pageLeftAt }) });
  }

  async adopt(entries: readonly Entry[]): Promise<void> {
    await this.#ask({ name: 'adopt', entries });
  }

  async attachResult(callId: string, message: JsonObject | undefined): Promise<void> {
    await this.#ask({ name: 'attach-result', callId, message });
  }

  async folded(): Promise<void> {
    await this.#ask({ name: 'fold' });
  }

  async flushed(): Promise<void> {
    await this.#ask({ name: 'flush' });
  }

  openExchange(listens: boolean): ExchangeRecorder {
    const exchange = ++this.#exchanges;
    this.#order({ name: 'open-exchange', exchange, listens });
    return {
      // A view would take its whole chunk along.
      events: async (bytes, of) =>
        (await this.#ask({ name: 'events', exchange, bytes: bytes.slice(), of })) as RecordedEvents,
      record: async (frames, of) => (await this.#ask({ name: 'record', exchange, frames, of })) as Recorded,
      close: () => this.#order({ name: 'close-exchange', exchange }),
    };
  }

  forgetEvents(): void {
    this.#order({ name: 'forget-events' });
  }

  async recallEvents(): Promise<void> {
    await this.#ask({ name: 'recall-events' });
  }

  async write(index: StoredIndex): Promise<void> {
    this.#isWritten = true;
    this.#segments = index.segments;
    await this.#ask({ name: 'write', index });
  }

  async stopWriting(): Promise<void> {
    this.#isWritten = false;
    await this.#ask({ name: 'stop-writing' });
  }

  async free(keepBytes: number): Promise<void> {
    await this.#ask({ name: 'free', keepBytes });
  }

  #order(command: Command): void {
    this.#channel.post({ command });
  }

  #ask(command: Command): Promise<unknown> {
    const id = ++this.#orders;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#channel.post({ id, command });
    });
  }

  #hear(report: Report): void {
    switch (report.type) {
      case 'folded': {
        const { change, packed, transitions } = report;
        applyChange(this.#state, change);
        this.#tail.add(packed);
        if (packed.length > 0) this.appended.emit(new EntryBatch(packed));
        if (transitions.length > 0) this.changed.emit(transitions);
        return;
      }
      case 'stored':
        this.#segments = report.segments;
        this.stored.emit(undefined);
        return;
      case 'answer':
        return this.#take(report.id)?.resolve(report.value);
      case 'failed':
        return this.#take(report.id)?.reject(new Error(report.why));
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
