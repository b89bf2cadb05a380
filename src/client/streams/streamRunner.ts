/**
 * Performs what the stream machine asks for: places, requests, timers, checks. It decides nothing: what happens next is a
 * row of the machine's table.
 */
import { errorMessage } from '../../base/format.ts';
import type { Rank, Tenant } from '../../wire/connectionBudget.ts';
import { StreamConnection } from '../exchange/streamConnection.ts';
import type { Effect, End, Policy, Step, Stream, StreamEvent } from './stream.ts';
import { begin, canYield, healthOf, next } from './streamMachine.ts';
import { PACE } from './streamPolicy.ts';
import type { StreamRecords } from './streamRecords.ts';
import type { OnLost, StreamsOptions } from './streamsOptions.ts';
import { reasonOfTrouble } from './reasonOfTrouble.ts';

export interface Running {
  stream: Stream;
  readonly callId: string | undefined;
  /** Sends the POST. */
  readonly send?: (() => void) | undefined;
  readonly onLost?: OnLost | undefined;
  connection: StreamConnection | undefined;
  timer: { readonly at: number; readonly cancel: () => void } | undefined;
}

type Given = Pick<Running, 'callId' | 'send' | 'onLost'>;

export class StreamRunner {
  readonly #options: StreamsOptions;
  readonly #records: StreamRecords;
  /** A GET that never got to the wire. */
  readonly #onNotSent: (connection: StreamConnection, why: string) => void;
  readonly #running = new Map<string, Running>();
  #isClosed = false;
  /** `false` once the server has refused to resume: then no stream gives its connection away. */
  #canResume = true;

  constructor(
    options: StreamsOptions,
    records: StreamRecords,
    onNotSent: (connection: StreamConnection, why: string) => void,
  ) {
    this.#options = options;
    this.#records = records;
    this.#onNotSent = onNotSent;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  find(key: string): Running | undefined {
    return this.#running.get(key);
  }

  /** The streams of a call: its own, and those of requests that go with it. */
  keysOf(callId: string): readonly string[] {
    return [...this.#running].flatMap(([key, running]) => (running.callId === callId ? [key] : []));
  }

  close(): void {
    this.#isClosed = true;
    for (const [key, { onLost }] of [...this.#running]) {
      this.tell(key, { kind: 'leaving' });
      onLost?.('left');
    }
  }

  /** The stream of a request of the peer's. */
  adopt(connection: StreamConnection): void {
    const { key: id, callId } = connection;
    const begun = begin(id, 'request', this.policy(callId)).stream;
    const { stream } = next(begun, { kind: 'place-granted' }, this.policy(callId));
    this.#running.set(id, { stream, callId, connection, timer: undefined });
  }

  add({ stream, effects }: Step, given: Given): Running {
    const { id } = stream;
    // A stream of the same key is over: its request is sent anew, or taken up from another place.
    if (this.#running.has(id)) this.tell(id, { kind: 'leaving' });
    const running: Running = { ...given, stream, connection: undefined, timer: undefined };
    this.#running.set(id, running);
    for (const effect of effects) this.#perform(id, running, effect);
    return running;
  }

  tellAll(event: StreamEvent): void {
    for (const key of [...this.#running.keys()]) this.tell(key, event);
  }

  tell(key: string, event: StreamEvent): void {
    const running = this.#running.get(key);
    if (!running) return;
    const before = running.stream;
    const { stream, effects } = next(before, event, this.policy(running.callId));
    if (stream === before) return;
    running.stream = stream;
    running.timer?.cancel();
    running.timer = undefined;
    for (const effect of effects) this.#perform(key, running, effect);
    if (stream.name !== before.name || stream.name === 'queued') this.#moved(running);
  }

  #moved({ stream, timer }: Running): void {
    if (this.#isClosed) return;
    if (stream.name === 'absent') this.#canResume = false;
    // What is over for good is of no more interest; a lost one may still be answered.
    if (stream.name === 'ended' && stream.end.how !== 'lost' && stream.end.how !== 'unknown') {
      this.#running.delete(stream.id);
    }
    if (stream.name === 'waiting') {
      const { failed: attempt, trouble } = stream.setbacks;
      if (trouble && trouble.code !== 'page-loaded' && timer) {
        const reason = reasonOfTrouble(trouble);
        this.#options.emit({ kind: 'trouble', attempt, retryAt: timer.at, reason });
      }
    }
    const streams = [...this.#running.values()].map((one) => one.stream);
    if (healthOf(streams) === 'well') this.#options.emit({ kind: 'healthy' });
  }

  #perform(key: string, running: Running, effect: Effect): void {
    switch (effect.kind) {
      case 'askForPlace':
        return this.#askForPlace(key, running, effect.rank);
      case 'release':
        return this.#release(key, running);
      case 'post':
        running.connection = new StreamConnection(key, running.callId, undefined);
        return running.send?.();
      case 'get':
        return this.#get(key, running, effect.lastEventId);
      case 'startTimer':
        return this.#startTimer(key, running, effect.delayMs);
      case 'checkSession':
        void this.#checkSession(key, running);
        return;
      case 'suspectServer':
        return this.tellAll({ kind: 'server-suspected' });
      case 'declare':
        return this.#declare(key, running, effect.end);
      case 'awaitLogin':
        return;
    }
  }

  #askForPlace(key: string, running: Running, rank: Rank): void {
    const asked = running.stream;
    void this.#options.budget.enter(this.#tenant(key, rank)).then(() => {
      const { stream } = running;
      const stillWaits = stream === asked || (stream.name === 'queued' && stream.session !== undefined);
      if (stillWaits) this.tell(key, { kind: 'place-granted' });
    });
  }

  #tenant(key: string, rank: Rank): Tenant {
    return {
      key: this.#place(key),
      rank,
      canYield: () => {
        const running = this.#running.get(key);
        return running !== undefined && canYield(running.stream, this.policy(running.callId));
      },
      yield: () => this.tell(key, { kind: 'place-wanted' }),
    };
  }

  #release(key: string, running: Running): void {
    const { connection, stream } = running;
    running.connection = undefined;
    if (connection && stream.name === 'queued') this.#records.ended(connection, 'released');
    connection?.release();
    this.#options.budget.leave(this.#place(key));
  }

  #get(key: string, running: Running, lastEventId: string | undefined): void {
    const { stream } = running;
    const connection = new StreamConnection(key, running.callId, lastEventId);
    connection.fillsGap = 'setbacks' in stream && stream.setbacks.trouble !== undefined;
    running.connection = connection;
    this.#options.wire.openStream(key).catch((error: unknown) => {
      // The exchange has told everything that happened on the wire; this is for what never got there.
      if (connection.isSilent) this.#onNotSent(connection, errorMessage(error));
    });
  }

  #startTimer(key: string, running: Running, delayMs: number): void {
    const { clock } = this.#options;
    const jittered = Math.round(delayMs * (1 + clock.random() / 4));
    const run = (): void => {
      this.#records.timedOut(running.stream);
      this.tell(key, { kind: 'timer', awaitsUser: this.#awaitsUser(running.callId) });
    };
    running.timer = { at: clock.now() + jittered, cancel: clock.after(jittered, run) };
  }

  async #checkSession(key: string, running: Running): Promise<void> {
    const checked = running.stream;
    const session = await this.#options.wire.checkSession();
    if (this.#isClosed || running.stream !== checked) return;
    if (session.name === 'gone') this.#options.emit({ kind: 'session-gone', reason: session.reason });
    else this.tell(key, { kind: session.name === 'alive' ? 'session-alive' : 'session-unreachable' });
  }

  #declare(key: string, { callId, onLost, stream }: Running, end: End): void {
    if (end.how === 'answered') {
      this.#records.ended({ key, callId }, 'answered');
      return;
    }
    if (!('reason' in end)) return;
    const { reason } = end;
    if (reason.code === 'resume-refused' || reason.code === 'resume-blocked') this.#canResume = false;
    // What a failed POST means for its call is decided by whoever hears of `request-failed`.
    if (reason.code === 'post-refused' || reason.code === 'no-answer' || reason.code === 'unauthorized') {
      return;
    }
    onLost?.('lost');
    if (callId === undefined || stream.name !== 'ended' || end.how === 'failed') return;
    this.#records.callEnded(callId, end.how, reason);
  }

  #awaitsUser(callId: string | undefined): boolean {
    return callId !== undefined && this.#options.log.state.calls.get(callId)?.name === 'needs-input';
  }

  policy(callId: string | undefined): Policy {
    const { state } = this.#options.log;
    const hasReceived = callId !== undefined && (state.calls.get(callId)?.received ?? 0) > 0;
    return {
      ...PACE,
      hasSession: this.#options.wire.hasSession,
      // A message without an event ID on this very stream is the proof that there are none.
      sendsEventIds: state.sendsEventIds || (hasReceived ? false : undefined),
      canResume: this.#canResume,
      closeCancels: this.#options.wire.closeCancels,
    };
  }

  isCurrent(connection: StreamConnection): boolean {
    return !this.#isClosed && this.#running.get(connection.key)?.connection === connection;
  }

  #place(key: string): string {
    return `${this.#options.log.server} ${key}`;
  }
}
