/**
 * Performs what the stream machine asks for, for every stream of one connection. It decides nothing: what happens next
 * is a row of the machine's table. The SDK's own reconnection is switched off, because two owners would replay a stream twice.
 */
import { reason as wordsOf } from '../../base/words.ts';
import { STANDALONE } from '../../log/entry/entry.ts';
import type { Rank, Tenant } from '../../wire/connectionBudget.ts';
import type { ExchangeEnd, StreamHandle } from '../../wire/exchange.ts';
import {
  classifyFailure,
  type FailedRequest,
  type Outcome,
  type Verdict,
} from '../exchange/classifyFailure.ts';
import { OUTGOING, type ExchangeReports, type Heard } from '../exchange/streamExchange.ts';
import type { Effect, End, Policy, Role, Step, Stream, StreamEvent } from './stream.ts';
import { StreamConnection } from '../exchange/streamConnection.ts';
import { begin, canYield, healthOf, next, restore } from './streamMachine.ts';
import { PACE } from './streamPolicy.ts';
import { StreamRecords } from './streamRecords.ts';
import type { OnLost, StreamsOptions } from './streamsOptions.ts';
import { reasonOfTrouble } from './reasonOfTrouble.ts';

interface Running {
  stream: Stream;
  readonly callId: string | undefined;
  /** Sends the POST. */
  readonly send?: (() => void) | undefined;
  readonly onLost?: OnLost | undefined;
  connection: StreamConnection | undefined;
  timer: { readonly at: number; readonly cancel: () => void } | undefined;
}

type Given = Pick<Running, 'callId' | 'send' | 'onLost'>;

export class Streams implements ExchangeReports {
  readonly #options: StreamsOptions;
  readonly #records: StreamRecords;
  readonly #running = new Map<string, Running>();
  #isClosed = false;
  /** `false` once the server has refused to resume: then no stream gives its connection away. */
  #canResume = true;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#records = new StreamRecords(options.log);
  }

  /** Sends a request when there is a free connection, so that the browser never queues it in silence. */
  post(key: string, callId: string | undefined, send: () => Promise<void>, onLost?: OnLost): Promise<void> {
    return new Promise((resolve, reject) => {
      const running = this.#add(begin(key, callId === undefined ? 'request' : 'call', this.#policy(callId)), {
        callId,
        onLost: (how) => {
          onLost?.(how);
          resolve();
        },
        send: () => {
          send().then(resolve, (error: unknown) => {
            // An aborted request of a stream that has ended is no news.
            if (running.stream.name === 'ended') resolve();
            else reject(error instanceof Error ? error : new Error(wordsOf(error)));
          });
        },
      });
    });
  }

  /** Takes up a stream that an earlier page left. A call that can't be resumed ends here, in words. */
  restore(
    key: string,
    callId: string | undefined,
    left: { readonly lastEventId: string | undefined; readonly wasAnswered: boolean },
    onLost?: OnLost,
  ): void {
    const role: Role = key === STANDALONE ? 'standalone' : callId === undefined ? 'request' : 'call';
    this.#add(restore({ id: key, role, ...left }, this.#policy(callId)), { callId, onLost });
  }

  /** The connection of a POST that is about to be sent: of `post`, or of a request that the SDK makes by itself. */
  posting(key: string, callId: string | undefined): StreamConnection {
    const known = this.#running.get(key);
    if (known?.stream.name === 'opening' && known.connection) return known.connection;
    const connection = new StreamConnection(key, callId, undefined);
    if (key !== OUTGOING) this.#adopt(connection);
    return connection;
  }

  /** Opens the standalone stream of a new session. */
  listen(): void {
    if (this.#isClosed || this.#running.has(STANDALONE)) return;
    this.#add(begin(STANDALONE, 'standalone', this.#policy(undefined)), { callId: undefined });
  }

  /** The connection of a GET that is about to be sent. */
  listening(key: string): StreamConnection {
    const { connection } = this.#running.get(key) ?? {};
    if (connection?.isSilent === true) return connection;
    // A GET that comes after its stream has moved on belongs to nothing, and is aborted when it is attached.
    return new StreamConnection(key, undefined, undefined);
  }

  attach(connection: StreamConnection, handle: StreamHandle): void {
    const isOver = this.#isClosed || (connection.key !== OUTGOING && !this.#isCurrent(connection));
    if (isOver) handle.release();
    else connection.handle = handle;
  }

  /** A cancelled call needs no stream. */
  drop(callId: string): void {
    for (const [key, { callId: own }] of [...this.#running]) {
      if (own === callId) this.#tell(key, { kind: 'cancelled' });
    }
  }

  /** The network is back. */
  retryNow(): void {
    this.#tellAll({ kind: 'network-back' });
  }

  close(): void {
    this.#isClosed = true;
    for (const [key, { onLost }] of [...this.#running]) {
      this.#tell(key, { kind: 'leaving' });
      onLost?.('left');
    }
  }

  opened(connection: StreamConnection, isGet: boolean): void {
    if (!this.#isCurrent(connection)) return;
    const { callId } = connection;
    if (!isGet && callId !== undefined) this.#records.callOpened(callId);
    this.#tell(connection.key, { kind: 'opened' });
  }

  heard(connection: StreamConnection, { eventId, isNew, responses }: Heard): void {
    if (this.#isCurrent(connection)) {
      this.#tell(connection.key, {
        kind: 'received',
        isNew,
        ...(eventId !== undefined && { eventId }),
      });
    }
    // A response ends its own stream, on whatever stream it came.
    for (const id of responses) this.#tell(id, { kind: 'response' });
  }

  retry(connection: StreamConnection, delayMs: number): void {
    if (this.#isCurrent(connection)) this.#tell(connection.key, { kind: 'retry', delayMs });
  }

  ended(connection: StreamConnection, end: ExchangeEnd): void {
    if (!this.#isCurrent(connection)) return;
    const { key } = connection;
    // A plain JSON response has no stream that would have been opened before.
    this.#tell(key, { kind: 'opened' });
    switch (end.how) {
      case 'oversized':
        this.#records.ended(connection, 'broken', { code: 'event-too-large', limitBytes: end.limitBytes });
        return this.#tell(key, { kind: 'oversized', limitBytes: end.limitBytes });
      case 'broken':
        this.#records.ended(connection, 'broken', { code: 'broken', text: end.why });
        return this.#tell(key, { kind: 'network-error', detail: end.why });
      case 'done':
      case 'closed':
      case 'released':
        this.#records.ended(connection, 'closed');
        return this.#tell(key, { kind: 'closed' });
    }
  }

  failed(connection: StreamConnection, request: FailedRequest, outcome: Outcome): void {
    const { key, callId } = connection;
    if (this.#isClosed || (key !== OUTGOING && !this.#isCurrent(connection))) return;
    const { stream } = this.#running.get(key) ?? {};
    const attempt = (stream && 'setbacks' in stream ? stream.setbacks.failed : 0) + 1;
    const verdict = classifyFailure(outcome, {
      request,
      hasSession: this.#options.wire.hasSession,
      isSessionless: this.#options.wire.closeCancels,
      attempt,
    });
    if (request === 'stream') this.#records.ended(connection, 'refused', verdict.reason);
    if (request === 'stream') return this.#getFailed(key, outcome, verdict);
    this.#tell(key, eventOf(outcome));
    this.#options.emit({ kind: 'request-failed', failure: { request, callId, outcome, verdict } });
  }

  #getFailed(key: string, outcome: Outcome, { name, reason }: Verdict): void {
    const { wire, emit } = this.#options;
    if (name === 'session-gone') return emit({ kind: 'session-gone', reason });
    if (name === 'unauthorized' && wire.blocked?.name === 'login') {
      const { ask, reason } = wire.blocked;
      emit({ kind: 'login-needed', ask, reason });
      return this.#tell(key, { kind: 'unauthorized' });
    }
    this.#tell(key, eventOf(outcome));
  }

  /** The stream of a request that the SDK makes by itself. */
  #adopt(connection: StreamConnection): void {
    const { key: id, callId } = connection;
    const begun = begin(id, 'request', this.#policy(callId)).stream;
    const { stream } = next(begun, { kind: 'place-granted' }, this.#policy(callId));
    this.#running.set(id, { stream, callId, connection, timer: undefined });
  }

  #add({ stream, effects }: Step, given: Given): Running {
    const { id } = stream;
    // A stream of the same key is over: its request is sent anew, or taken up from another place.
    if (this.#running.has(id)) this.#tell(id, { kind: 'leaving' });
    const running: Running = { ...given, stream, connection: undefined, timer: undefined };
    this.#running.set(id, running);
    for (const effect of effects) this.#perform(id, running, effect);
    return running;
  }

  #tellAll(event: StreamEvent): void {
    for (const key of [...this.#running.keys()]) this.#tell(key, event);
  }

  #tell(key: string, event: StreamEvent): void {
    const running = this.#running.get(key);
    if (!running) return;
    const before = running.stream;
    const { stream, effects } = next(before, event, this.#policy(running.callId));
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
        return this.#tellAll({ kind: 'server-suspected' });
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
      if (stillWaits) this.#tell(key, { kind: 'place-granted' });
    });
  }

  #tenant(key: string, rank: Rank): Tenant {
    return {
      key: this.#place(key),
      rank,
      canYield: () => {
        const running = this.#running.get(key);
        return running !== undefined && canYield(running.stream, this.#policy(running.callId));
      },
      yield: () => this.#tell(key, { kind: 'place-wanted' }),
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
      if (connection.isSilent) this.failed(connection, 'stream', { kind: 'threw', why: wordsOf(error) });
    });
  }

  #startTimer(key: string, running: Running, delayMs: number): void {
    const { clock } = this.#options;
    const jittered = Math.round(delayMs * (1 + clock.random() / 4));
    const run = (): void => {
      this.#records.timedOut(running.stream);
      this.#tell(key, { kind: 'timer', awaitsUser: this.#awaitsUser(running.callId) });
    };
    running.timer = { at: clock.now() + jittered, cancel: clock.after(jittered, run) };
  }

  async #checkSession(key: string, running: Running): Promise<void> {
    const checked = running.stream;
    const session = await this.#options.wire.checkSession();
    if (this.#isClosed || running.stream !== checked) return;
    if (session.name === 'gone') this.#options.emit({ kind: 'session-gone', reason: session.reason });
    else this.#tell(key, { kind: session.name === 'alive' ? 'session-alive' : 'session-unreachable' });
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
    return callId !== undefined && this.#options.log.head.calls.get(callId)?.name === 'needs-input';
  }

  #policy(callId: string | undefined): Policy {
    const { head } = this.#options.log;
    const hasReceived = callId !== undefined && (head.calls.get(callId)?.received ?? 0) > 0;
    return {
      ...PACE,
      hasSession: this.#options.wire.hasSession,
      // A message without an event ID on this very stream is the proof that there are none.
      sendsEventIds: head.namesPositions || (hasReceived ? false : undefined),
      canResume: this.#canResume,
      closeCancels: this.#options.wire.closeCancels,
    };
  }

  #isCurrent(connection: StreamConnection): boolean {
    return !this.#isClosed && this.#running.get(connection.key)?.connection === connection;
  }

  #place(key: string): string {
    return `${this.#options.log.server} ${key}`;
  }
}

function eventOf(outcome: Outcome): StreamEvent {
  return outcome.kind === 'threw'
    ? { kind: 'network-error', detail: outcome.why }
    : { kind: 'refused', status: outcome.status };
}
