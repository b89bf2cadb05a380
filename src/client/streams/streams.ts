/**
 * The streams of one connection: what is sent and resumed comes in here, and what an exchange reports becomes an event of
 * its stream.
 */
import { errorMessage } from '../../base/format.ts';
import { STANDALONE } from '../../log/entry/entry.ts';
import type { ExchangeEnd, StreamHandle } from '../../wire/exchange.ts';
import {
  classifyFailure,
  type FailedRequest,
  type Outcome,
  type Verdict,
} from '../exchange/classifyFailure.ts';
import { OUTGOING, type ExchangeReports, type Heard } from '../exchange/streamExchange.ts';
import type { Role, StreamEvent } from './stream.ts';
import { StreamConnection } from '../exchange/streamConnection.ts';
import { begin, restore } from './streamMachine.ts';
import { StreamRecords } from './streamRecords.ts';
import { StreamRunner } from './streamRunner.ts';
import type { OnLost, StreamsOptions } from './streamsOptions.ts';

export class Streams implements ExchangeReports {
  readonly #options: StreamsOptions;
  readonly #records: StreamRecords;
  readonly #runner: StreamRunner;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#records = new StreamRecords(options.log);
    this.#runner = new StreamRunner(options, this.#records, (connection, why) =>
      this.failed(connection, 'stream', { kind: 'threw', why }),
    );
  }

  /** Sends a request when there is a free connection, so that the browser never queues it in silence. */
  post(key: string, callId: string | undefined, send: () => Promise<void>, onLost?: OnLost): Promise<void> {
    return new Promise((resolve, reject) => {
      const role: Role = callId === undefined ? 'request' : 'call';
      const running = this.#runner.add(begin(key, role, this.#runner.policy(callId)), {
        callId,
        onLost: (how) => {
          onLost?.(how);
          resolve();
        },
        send: () => {
          send().then(resolve, (error: unknown) => {
            if (running.stream.name !== 'ended') {
              reject(error instanceof Error ? error : new Error(errorMessage(error)));
              return;
            }
            // An aborted request of a stream that has ended is no news; a refused one will have no response.
            onLost?.('lost');
            resolve();
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
    this.#runner.add(restore({ id: key, role, ...left }, this.#runner.policy(callId)), { callId, onLost });
  }

  /** The connection of a POST that is about to be sent: of `post`, or of the peer's. */
  posting(key: string, callId: string | undefined): StreamConnection {
    const known = this.#runner.find(key);
    if (known?.stream.name === 'opening' && known.connection) return known.connection;
    const connection = new StreamConnection(key, callId, undefined);
    if (key !== OUTGOING) this.#runner.adopt(connection);
    return connection;
  }

  /** Opens the standalone stream of a new session. */
  listen(): void {
    if (this.#runner.isClosed || this.#runner.find(STANDALONE)) return;
    this.#runner.add(begin(STANDALONE, 'standalone', this.#runner.policy(undefined)), { callId: undefined });
  }

  /** The connection of a GET that is about to be sent. */
  listening(key: string): StreamConnection {
    const { connection } = this.#runner.find(key) ?? {};
    if (connection?.isSilent === true) return connection;
    // A GET that comes after its stream has moved on belongs to nothing, and is aborted when it is attached.
    return new StreamConnection(key, undefined, undefined);
  }

  attach(connection: StreamConnection, handle: StreamHandle): void {
    const isOver =
      this.#runner.isClosed || (connection.key !== OUTGOING && !this.#runner.isCurrent(connection));
    if (isOver) handle.release();
    else connection.handle = handle;
  }

  /** A cancelled call needs no stream. */
  drop(callId: string): void {
    for (const key of this.#runner.keysOf(callId)) this.#runner.tell(key, { kind: 'cancelled' });
  }

  /** The network is back. */
  retryNow(): void {
    this.#runner.tellAll({ kind: 'network-back' });
  }

  close(): void {
    this.#runner.close();
  }

  opened(connection: StreamConnection, isGet: boolean): void {
    if (!this.#runner.isCurrent(connection)) return;
    const { callId } = connection;
    if (!isGet && callId !== undefined) this.#records.callOpened(callId);
    this.#runner.tell(connection.key, { kind: 'opened' });
  }

  heard(connection: StreamConnection, { eventId, isNew, responses }: Heard): void {
    if (this.#runner.isCurrent(connection)) {
      this.#runner.tell(connection.key, {
        kind: 'received',
        isNew,
        ...(eventId !== undefined && { eventId }),
      });
    }
    // A response ends its own stream, on whatever stream it came.
    for (const id of responses) this.#runner.tell(id, { kind: 'response' });
  }

  retry(connection: StreamConnection, delayMs: number): void {
    if (this.#runner.isCurrent(connection)) this.#runner.tell(connection.key, { kind: 'retry', delayMs });
  }

  ended(connection: StreamConnection, end: ExchangeEnd): void {
    if (!this.#runner.isCurrent(connection)) return;
    const { key } = connection;
    // A plain JSON response has no stream that would have been opened before.
    this.#runner.tell(key, { kind: 'opened' });
    switch (end.how) {
      case 'oversized':
        this.#records.ended(connection, 'broken', { code: 'event-too-large', limitBytes: end.limitBytes });
        return this.#runner.tell(key, { kind: 'oversized', limitBytes: end.limitBytes });
      case 'broken':
        this.#records.ended(connection, 'broken', { code: 'broken', text: end.why });
        return this.#runner.tell(key, { kind: 'network-error', detail: end.why });
      case 'done':
      case 'closed':
      case 'released':
        this.#records.ended(connection, 'closed');
        return this.#runner.tell(key, { kind: 'closed' });
    }
  }

  failed(connection: StreamConnection, request: FailedRequest, outcome: Outcome): void {
    const { key, callId } = connection;
    if (this.#runner.isClosed || (key !== OUTGOING && !this.#runner.isCurrent(connection))) return;
    const { stream } = this.#runner.find(key) ?? {};
    const attempt = (stream && 'setbacks' in stream ? stream.setbacks.failed : 0) + 1;
    const verdict = classifyFailure(outcome, {
      request,
      hasSession: this.#options.wire.hasSession,
      isSessionless: this.#options.wire.closeCancels,
      attempt,
    });
    if (request === 'stream') {
      this.#records.ended(connection, 'refused', verdict.reason);
      return this.#getFailed(key, outcome, verdict);
    }
    this.#runner.tell(key, eventOf(outcome));
    this.#options.emit({ kind: 'request-failed', failure: { request, callId, outcome, verdict } });
  }

  #getFailed(key: string, outcome: Outcome, { name, reason }: Verdict): void {
    const { wire, emit } = this.#options;
    if (name === 'session-gone') return emit({ kind: 'session-gone', reason });
    if (name === 'unauthorized' && wire.blocked?.name === 'login') {
      const { ask, reason } = wire.blocked;
      emit({ kind: 'login-needed', ask, reason });
      return this.#runner.tell(key, { kind: 'unauthorized' });
    }
    this.#runner.tell(key, eventOf(outcome));
  }
}

function eventOf(outcome: Outcome): StreamEvent {
  return outcome.kind === 'threw'
    ? { kind: 'network-error', detail: outcome.why }
    : { kind: 'refused', status: outcome.status };
}
