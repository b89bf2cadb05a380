/**
 * Every open stream of one connection, and the one place that decides when to ask for more of it. The SDK's own
 * reconnection is switched off: two owners of one stream would replay it twice.
 */
import { reason } from '../base/words.ts';
import { STANDALONE, type StreamEnd } from '../log/entry.ts';
import { parseWireId } from '../log/wireId.ts';
import type { ConnectionBudget } from '../wire/connectionBudget.ts';
import type { ExchangeEnd, StreamHandle } from '../wire/exchange.ts';
import { backoffMs } from './backoff.ts';
import { classifyFailure, type FailedRequest, type Outcome, type Verdict } from './classifyFailure.ts';
import { FIRST_SILENCE_MS, LiveStream } from './liveStream.ts';
import type { SessionHealth } from './sessionCheck.ts';
import { OUTGOING, type ExchangeReports, type Recording } from './streamExchange.ts';
import {
  aliveButUnreachable,
  brokenWithoutPosition,
  CLOSED_IS_CANCELLED,
  tooLargeToRead,
} from './streamWords.ts';

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
  /** A closed stream is over, and a call with it: there is nothing to resume. */
  readonly isStateless: () => boolean;
  /** Opens a GET whose `Last-Event-ID` is this key; `listen` puts the true position in its place. */
  readonly open: (key: string) => Promise<void>;
  readonly checkSession: () => Promise<SessionHealth>;
  readonly onSessionGone: (why: string) => void;
  /** @returns whether the connection waits for a login now, so that nothing is tried again */
  readonly onUnauthorized: () => boolean;
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

  /** The stream of a request that is about to be sent. */
  posting(key: string, callId: string | undefined): LiveStream {
    const stream = this.#streams.get(key) ?? new LiveStream(key, callId, 'posting');
    if (key !== OUTGOING) this.#streams.set(key, stream);
    return stream;
  }

  /** The stream that a GET is about to ask for. */
  listening(key: string): LiveStream {
    const known = this.#streams.get(key);
    if (known) return known;
    const stream = new LiveStream(key, undefined, 'opening');
    this.#streams.set(key, stream);
    void this.#options.budget.enter(this.#tenant(stream));
    return stream;
  }

  attach(stream: LiveStream, handle: StreamHandle): void {
    stream.handle = handle;
    if (this.#closed || stream.phase === 'done') handle.release();
  }

  /** Waits for a free connection, so that the browser never holds the request back in silence. */
  async post(
    key: string,
    callId: string | undefined,
    send: () => Promise<void>,
    onLost?: () => void,
  ): Promise<void> {
    const stream = new LiveStream(key, callId, 'posting');
    stream.onLost = onLost;
    this.#streams.set(key, stream);
    await this.#options.budget.enter(this.#tenant(stream), { eager: true });
    if (!this.#closed && stream.phase !== 'done') await send();
  }

  /** Asks for the rest of a stream, from where it stood. */
  resume(key: string, callId: string | undefined, cursor: string | undefined, onLost?: () => void): void {
    const stream = new LiveStream(key, callId, 'waiting', cursor);
    stream.onLost = onLost;
    this.#streams.set(key, stream);
    void this.#ask(stream);
  }

  /** Nobody waits for this call any more. */
  drop(callId: string): void {
    const own = [...this.#streams.values()].filter((stream) => stream.callId === callId);
    for (const stream of own) this.#finish(stream);
  }

  /** The network is back: what waits for the end of a pause need not wait for it. */
  hurry(): void {
    for (const stream of this.#streams.values()) {
      if (stream.trouble === undefined || !stream.cancelTimer) continue;
      stream.stopTimer();
      void this.#ask(stream);
    }
  }

  close(): void {
    this.#closed = true;
    for (const stream of [...this.#streams.values()]) {
      this.#finish(stream);
      stream.lose();
    }
  }

  opened(stream: LiveStream, resumed: boolean): void {
    if (stream.phase === 'done') return;
    stream.phase = 'open';
    stream.trouble = undefined;
    stream.wasReleased = false;
    if (resumed) {
      if (callWaitingFor(stream) !== undefined) this.#watchSilence(stream);
      this.#reportHealth();
    } else if (stream.callId !== undefined) {
      this.#options.log.append({ body: { kind: 'call', callId: stream.callId, change: { name: 'open' } } });
    }
  }

  heard(stream: LiveStream, resumed: boolean): void {
    stream.attempt = 0;
    stream.emptyResumes = 0;
    if (!resumed || callWaitingFor(stream) === undefined) return;
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
      this.#giveUp(stream, tooLargeToRead(end.limitBytes));
      return;
    }
    const how = end.how === 'done' ? 'closed' : end.how;
    this.#recordEnd(stream, how, end.how === 'broken' ? end.why : undefined);
    if (stream.key !== STANDALONE && stream.cursor === undefined) {
      const { log, isStateless } = this.#options;
      this.#giveUp(
        stream,
        isStateless() ? CLOSED_IS_CANCELLED : brokenWithoutPosition(log.head.namesPositions),
      );
      return;
    }
    stream.phase = 'waiting';
    if (how === 'broken') {
      stream.attempt += 1;
      this.#retry(stream, 'The connection broke.', 'calm');
    } else if (how === 'released') {
      stream.wasReleased = true;
      void this.#ask(stream);
    } else {
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
      isStateless: this.#options.isStateless(),
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
        void this.#checkSession(stream, verdict.why, 1);
        return;
      case 'unauthorized':
        if (this.#options.onUnauthorized()) return;
        void this.#checkSession(stream, verdict.why, REFUSALS_BEFORE_GIVING_UP);
        return;
      case 'check-session':
      case 'refused':
        void this.#checkSession(stream, verdict.why, REFUSALS_BEFORE_GIVING_UP);
        return;
      case 'session-gone':
        this.#options.onSessionGone(verdict.why);
        return;
    }
  }

  async #checkSession(stream: LiveStream, why: string, tries: number): Promise<void> {
    const session = await this.#options.checkSession();
    if (this.#closed || stream.phase === 'done') return;
    if (session.name === 'gone') {
      this.#options.onSessionGone(session.why);
    } else if (session.name === 'no-answer' || stream.attempt < tries) {
      this.#retry(stream, why, 'calm');
    } else {
      this.#canResume = false;
      this.#giveUp(stream, aliveButUnreachable(why));
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
    const { attempt, retryMs = 0 } = stream;
    const delayMs = Math.max(retryMs, backoffMs(attempt, pace, clock.random()));
    // A stream that was let go on purpose comes back to a server that is about to notice: no trouble to speak of.
    if (pace === 'calm' || !stream.wasReleased) {
      stream.trouble = why;
      onTrouble({ attempt, retryAt: clock.now() + delayMs, why });
    }
    this.#after(stream, delayMs);
  }

  #after(stream: LiveStream, delayMs: number): void {
    stream.stopTimer();
    stream.cancelTimer = this.#options.clock.after(delayMs, () => {
      stream.cancelTimer = undefined;
      void this.#ask(stream);
    });
  }

  #watchSilence(stream: LiveStream): void {
    stream.stopTimer();
    const { silenceMs } = stream;
    stream.cancelTimer = this.#options.clock.after(silenceMs, () => {
      stream.silenceMs = Math.min(MAX_SILENCE_MS, silenceMs * 2);
      // A call that waits for a person's answer has every reason to be silent.
      if (this.#waitsForPerson(stream)) this.#watchSilence(stream);
      else stream.release();
    });
  }

  #waitsForPerson(stream: LiveStream): boolean {
    const callId = callWaitingFor(stream);
    return callId !== undefined && this.#options.log.head.calls.get(callId)?.name === 'needs-input';
  }

  #giveUp(stream: LiveStream, why: string): void {
    const { callId } = stream;
    this.#finish(stream);
    stream.lose();
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

  #tenant(stream: LiveStream): Parameters<ConnectionBudget['enter']>[0] {
    return {
      key: this.#place(stream),
      canYield: () =>
        this.#canResume &&
        stream.phase === 'open' &&
        callWaitingFor(stream) !== undefined &&
        stream.cursor !== undefined,
      yield: () => {
        stream.release();
      },
    };
  }

  #place(stream: LiveStream): string {
    return `${this.#options.log.server} ${stream.key}`;
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

/** The call that waits for this stream: its own, or one that somebody follows up. */
function callWaitingFor({ key, callId, onLost }: LiveStream): string | undefined {
  return callId ?? (onLost && parseWireId(key).callId);
}
