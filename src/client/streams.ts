/**
 * Every open stream of one connection, and the one place that decides when to ask for more of it. The SDK's own
 * reconnection is switched off: two owners of one stream would replay it twice.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import { bytes, reason } from '../base/words.ts';
import { STANDALONE, type StreamEnd } from '../log/entry.ts';
import type { ConnectionBudget } from '../wire/connectionBudget.ts';
import type { ExchangeEnd, ExchangeListener, StreamHandle } from '../wire/exchange.ts';
import { backoffMs } from './backoff.ts';
import { classifyFailure, type FailedRequest, type Outcome, type Verdict } from './classifyFailure.ts';
import { FIRST_SILENCE_MS, LiveStream } from './liveStream.ts';
import { StreamExchange, type ExchangeReports, type Recording } from './streamExchange.ts';

/** Notifications and answers of ours have no stream of their own. */
const OUTGOING = 'outgoing';
const MAX_SILENCE_MS = 60_000;
/** A stream may be refused for a moment while the server clears up; then the refusal is final. */
const REFUSALS_BEFORE_GIVING_UP = 3;

export interface Trouble {
  readonly attempt: number;
  readonly retryAt: number;
  readonly why: string;
}

export interface StreamsOptions extends Recording {
  readonly budget: ConnectionBudget;
  readonly hasSession: () => boolean;
  /** Opens a GET whose `Last-Event-ID` is this key; `listen` puts the true position in its place. */
  readonly open: (key: string) => Promise<void>;
  readonly checkSession: () => Promise<'alive' | 'gone' | 'no-answer'>;
  readonly onSessionGone: (why: string) => void;
  readonly onTrouble: (trouble: Trouble) => void;
  /** A stream is open, or the server said that there is none to open; nothing is in trouble. */
  readonly onHealthy: () => void;
  /** A POST failed: the request's own fate is decided elsewhere. */
  readonly onPostFailed: (failure: PostFailure) => void;
}

export interface PostFailure {
  readonly request: FailedRequest;
  readonly callId: string | undefined;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
}

export class Streams implements ExchangeReports {
  readonly #options: StreamsOptions;
  readonly #streams = new Map<string, LiveStream>();
  #closed = false;
  /** `false` once the server has refused to resume: then a stream must not be let go. */
  #canResume = true;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** Names the listener of an exchange that the SDK is about to make. */
  listen(method: string, headers: Headers, body: string | undefined): ExchangeListener {
    if (method === 'GET') return this.#listenToGet(headers.get('last-event-id') ?? STANDALONE);
    const message = body === undefined ? undefined : parseObject(body);
    const id = message?.['id'];
    const name = message?.['method'];
    const isRequest = typeof name === 'string' && typeof id === 'string';
    const key = isRequest ? id : OUTGOING;
    const callId = isRequest && this.#options.log.head.calls.has(id) ? id : undefined;
    if (message && body !== undefined) this.#recordSent(key, callId, name, body, message);
    const stream = this.#streams.get(key) ?? new LiveStream(key, callId, 'posting');
    if (isRequest) this.#streams.set(key, stream);
    return new StreamExchange(this.#options, this, stream, requestKind(name));
  }

  attach(listener: ExchangeListener, handle: StreamHandle): void {
    if (listener instanceof StreamExchange) listener.stream.handle = handle;
    if (this.#closed) handle.release();
  }

  /** Waits for a free connection, so that the browser never holds the request back in silence. */
  async post(callId: string, send: () => Promise<void>): Promise<void> {
    const stream = new LiveStream(callId, callId, 'posting');
    this.#streams.set(callId, stream);
    await this.#options.budget.enter(this.#tenant(stream), { eager: true });
    if (!this.#closed && stream.phase !== 'done') await send();
  }

  /** Asks for the rest of a stream, from where it stood. */
  resume(key: string, callId: string | undefined, cursor: string | undefined): void {
    const stream = new LiveStream(key, callId, 'waiting', cursor);
    this.#streams.set(key, stream);
    void this.#ask(stream);
  }

  /** Nobody waits for this stream any more. */
  drop(key: string): void {
    const stream = this.#streams.get(key);
    if (stream) this.#finish(stream);
  }

  /** The network is back: what waits for the end of a pause need not wait for it. */
  hurry(): void {
    for (const stream of this.#streams.values()) {
      if (stream.trouble === undefined) continue;
      stream.stopTimer();
      void this.#ask(stream);
    }
  }

  close(): void {
    this.#closed = true;
    for (const stream of [...this.#streams.values()]) this.#finish(stream);
  }

  opened(stream: LiveStream, resumed: boolean): void {
    if (stream.phase === 'done') return;
    stream.phase = 'open';
    stream.attempt = 0;
    stream.trouble = undefined;
    if (resumed) {
      if (stream.callId !== undefined) this.#watchSilence(stream);
      this.#reportHealth();
    } else if (stream.callId !== undefined) {
      this.#options.log.append({ body: { kind: 'call', callId: stream.callId, change: { name: 'open' } } });
    }
  }

  heard(stream: LiveStream, resumed: boolean): void {
    stream.emptyResumes = 0;
    if (!resumed || stream.callId === undefined) return;
    stream.silenceMs = FIRST_SILENCE_MS;
    this.#watchSilence(stream);
  }

  ended(stream: LiveStream, end: ExchangeEnd, answered: boolean): void {
    stream.handle = undefined;
    stream.stopTimer();
    this.#options.budget.leave(this.#place(stream));
    if (stream.phase === 'done' || stream.key === OUTGOING) return;
    if (answered) {
      this.#recordEnd(stream, 'answered');
      this.#finish(stream);
      return;
    }
    if (end.how === 'oversized') {
      this.#recordEnd(stream, 'broken');
      this.#giveUp(
        stream,
        `The server sent an event of more than ${bytes(end.limitBytes)}, which is more than this page reads. ` +
          'Ask the tool for less: a page, a filter, a link to the data.',
      );
      return;
    }
    const how = end.how === 'done' ? 'closed' : end.how;
    this.#recordEnd(stream, how, end.how === 'broken' ? end.why : undefined);
    if (stream.key !== STANDALONE && stream.cursor === undefined) {
      this.#giveUp(stream, cannotFollow(this.#options.log.head.namesPositions));
      return;
    }
    stream.phase = 'waiting';
    if (how === 'broken') this.#retry(stream, 'The connection broke.', 'calm');
    else if (how === 'released') void this.#ask(stream);
    else {
      // A server may close a stream that has nothing to say as often as it likes; it is asked ever more calmly.
      stream.emptyResumes += 1;
      const delayMs = backoffMs(stream.emptyResumes, 'calm', this.#options.clock.random());
      this.#after(stream, stream.retryMs ?? delayMs);
    }
  }

  failed(stream: LiveStream, request: FailedRequest, outcome: Outcome): void {
    this.#options.budget.leave(this.#place(stream));
    stream.stopTimer();
    if (this.#closed || stream.phase === 'done') return;
    stream.attempt += 1;
    const verdict = classifyFailure(outcome, {
      request,
      hasSession: this.#options.hasSession(),
      attempt: stream.attempt,
    });
    if (request !== 'stream') {
      this.#finish(stream);
      this.#options.onPostFailed({ request, callId: stream.callId, outcome, verdict });
      return;
    }
    this.#recordEnd(stream, 'refused', verdict.why);
    this.#decide(stream, verdict);
  }

  #decide(stream: LiveStream, verdict: Verdict): void {
    switch (verdict.name) {
      case 'retry':
        this.#retry(stream, verdict.why, verdict.pace);
        return;
      case 'no-answer':
        this.#retry(stream, `The server does not answer (${verdict.why}).`, 'calm');
        return;
      case 'no-stream':
        this.#canResume = false;
        this.#giveUp(stream, cannotFollow(false));
        this.#reportHealth();
        return;
      case 'check-session':
      case 'refused':
      case 'unauthorized':
        void this.#checkSession(stream, verdict.why);
        return;
      case 'session-gone':
        this.#options.onSessionGone(verdict.why);
        return;
    }
  }

  async #checkSession(stream: LiveStream, why: string): Promise<void> {
    const session = await this.#options.checkSession();
    if (this.#closed || stream.phase === 'done') return;
    if (session === 'gone') {
      this.#options.onSessionGone(why);
    } else if (session === 'no-answer' || stream.attempt < REFUSALS_BEFORE_GIVING_UP) {
      this.#retry(stream, why, 'calm');
    } else {
      this.#canResume = false;
      this.#giveUp(
        stream,
        `${why} The session is alive, but this call cannot be followed: it may still be running, its result is not reachable.`,
      );
      this.#reportHealth();
    }
  }

  async #ask(stream: LiveStream): Promise<void> {
    stream.phase = 'waiting';
    await this.#options.budget.enter(this.#tenant(stream));
    if (this.#closed || stream.phase !== 'waiting') return;
    stream.phase = 'opening';
    try {
      await this.#options.open(stream.key);
    } catch (error) {
      // The listener has heard of everything that happened on the wire; this is for what never got there.
      if (stream.phase === 'opening') this.failed(stream, 'stream', { kind: 'threw', why: reason(error) });
    }
  }

  #retry(stream: LiveStream, why: string, pace: 'quick' | 'calm'): void {
    const { clock, onTrouble } = this.#options;
    stream.phase = 'waiting';
    stream.trouble = why;
    const attempt = Math.max(1, stream.attempt);
    const delayMs = Math.max(stream.retryMs ?? 0, backoffMs(attempt, pace, clock.random()));
    onTrouble({ attempt, retryAt: clock.now() + delayMs, why });
    this.#after(stream, delayMs);
  }

  #after(stream: LiveStream, delayMs: number): void {
    stream.stopTimer();
    stream.cancelTimer = this.#options.clock.after(delayMs, () => {
      void this.#ask(stream);
    });
  }

  #watchSilence(stream: LiveStream): void {
    stream.stopTimer();
    const { silenceMs } = stream;
    stream.cancelTimer = this.#options.clock.after(silenceMs, () => {
      stream.silenceMs = Math.min(MAX_SILENCE_MS, silenceMs * 2);
      stream.release();
    });
  }

  #giveUp(stream: LiveStream, why: string): void {
    const { callId } = stream;
    this.#finish(stream);
    if (callId === undefined) return;
    this.#options.log.append({ body: { kind: 'call', callId, change: { name: 'lost', why } } });
  }

  #finish(stream: LiveStream): void {
    stream.finish();
    this.#streams.delete(stream.key);
    this.#options.budget.leave(this.#place(stream));
  }

  #reportHealth(): void {
    const settled = [...this.#streams.values()].every(
      ({ trouble, phase }) => trouble === undefined && phase !== 'opening',
    );
    if (settled) this.#options.onHealthy();
  }

  #listenToGet(key: string): ExchangeListener {
    let stream = this.#streams.get(key);
    if (!stream) {
      stream = new LiveStream(key, undefined, 'opening');
      this.#streams.set(key, stream);
      void this.#options.budget.enter(this.#tenant(stream));
    }
    return new StreamExchange(this.#options, this, stream, 'stream');
  }

  #tenant(stream: LiveStream): Parameters<ConnectionBudget['enter']>[0] {
    return {
      key: this.#place(stream),
      canYield: () =>
        this.#canResume && stream.phase === 'open' && stream.callId !== undefined && stream.cursor !== undefined,
      yield: () => {
        stream.release();
      },
    };
  }

  #place(stream: LiveStream): string {
    return `${this.#options.log.server} ${stream.key}`;
  }

  #recordSent(
    stream: string,
    callId: string | undefined,
    name: unknown,
    body: string,
    message: JsonObject,
  ): void {
    const method = typeof name === 'string' ? name : undefined;
    this.#options.log.append({
      body: {
        kind: 'sent',
        stream,
        ...(callId !== undefined && { callId }),
        ...(method !== undefined && { method }),
        raw: this.#options.redactor.text(body),
      },
      message,
    });
  }

  #recordEnd(stream: LiveStream, how: StreamEnd, why?: string): void {
    const { key, callId } = stream;
    this.#options.log.append({
      body: {
        kind: 'stream-end',
        stream: key,
        how,
        ...(callId !== undefined && { callId }),
        ...(why !== undefined && { why }),
      },
    });
  }
}

function cannotFollow(serverNamesPositions: boolean): string {
  return serverNamesPositions
    ? 'The connection broke before the server named a position: whether the call is still running is not known.'
    : 'This server cannot replay: the call may still be running, its result is not reachable.';
}

function requestKind(method: unknown): FailedRequest {
  if (method === 'initialize') return 'initialize';
  if (method === 'notifications/initialized') return 'initialized';
  return method === 'ping' ? 'ping' : 'post';
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
