/** Records the exchanges of the old HTTP+SSE transport: short POSTs, and one stream that is the session. */
import { errorMessage } from '../../../base/format.ts';
import { STANDALONE } from '../../../log/entry/entry.ts';
import type { Reason } from '../../../log/reasons/reason.ts';
import type { ConnectionBudget } from '../../../wire/connectionBudget.ts';
import type { ExchangeRecorder } from '../../../recorder/serverLog.ts';
import { EventParser } from '../../../wire/eventParser.ts';
import type {
  ExchangeEnd,
  ResponseHead,
  ExchangeListener,
  Frame,
  TakenFrames,
} from '../../../wire/exchange.ts';
import type { WireRequest } from '../../../wire/recordingFetch.ts';
import { classifyFailure, type Outcome } from '../../exchange/classifyFailure.ts';
import type { Router } from '../exchangeRouter.ts';
import { recordResponse } from '../../exchange/recordResponse.ts';
import { recordSent, type SentMessage } from '../../exchange/sentMessages.ts';
import { awaited, type Recording } from '../../exchange/streamExchange.ts';
import type { EmitLinkEvent } from '../../streams/linkEvent.ts';

export interface OldSseRouterOptions extends Recording {
  readonly budget: ConnectionBudget;
  readonly emit: EmitLinkEvent;
  /** The stream is over, and the session with it. */
  readonly onEnded: (reason: Reason) => void;
}

export class OldSseRouter implements Router {
  readonly #options: OldSseRouterOptions;

  constructor(options: OldSseRouterOptions) {
    this.#options = options;
  }

  listen({ method, body }: WireRequest): ExchangeListener {
    return method === 'GET'
      ? new OldSseStream(this.#options)
      : new OldSsePost(this.#options, recordSent(this.#options, body));
  }

  /** The stream is never let go: it's closed with the transport. */
  attach(): void {
    return;
  }
}

/** The answer to a POST says only that it was taken; what it says beside that means nothing. */
class OldSsePost implements ExchangeListener {
  readonly lastEventId = null;
  readonly #options: OldSseRouterOptions;
  readonly #sent: SentMessage;

  constructor(options: OldSseRouterOptions, sent: SentMessage) {
    this.#options = options;
    this.#sent = sent;
  }

  head(head: ResponseHead): void {
    recordResponse(this.#options, { ...this.#sent, stream: this.#sent.key }, head);
  }

  failed(error: unknown): void {
    this.#fail({ kind: 'threw', why: errorMessage(error) });
  }

  refused(status: number, body: string): void {
    if (status >= 200 && status < 300) this.#accept();
    else this.#fail({ kind: 'status', status, body });
  }

  events(): Promise<TakenFrames> {
    return this.frames();
  }

  frames(): Promise<TakenFrames> {
    return Promise.resolve({ forward: [], done: false });
  }

  end(end: ExchangeEnd): void {
    if (end.how === 'broken') this.#fail({ kind: 'threw', why: end.why });
    else this.#accept();
  }

  #accept(): void {
    const { callId } = this.#sent;
    if (callId === undefined) return;
    this.#options.log.append({ body: { kind: 'call', callId, change: { name: 'open' } } });
  }

  #fail(outcome: Outcome): void {
    const { callId, request } = this.#sent;
    const verdict = classifyFailure(outcome, { request, hasSession: true, attempt: 1 });
    this.#options.emit({ kind: 'request-failed', failure: { request, callId, outcome, verdict } });
  }
}

const ENDPOINT = 'endpoint';
/** Long, and not a word. */
const SESSION_ID = /^(?=.*\d)[\w.~%-]{16,}$/;

class OldSseStream implements ExchangeListener {
  readonly lastEventId = null;
  readonly #options: OldSseRouterOptions;
  readonly #parser = new EventParser(new Set([ENDPOINT]));
  readonly #place: string;
  readonly #recorder: ExchangeRecorder;
  /** Whatever else answers a GET here is not of this transport. */
  #streams = false;

  constructor(options: OldSseRouterOptions) {
    this.#options = options;
    this.#place = `${options.log.server} old-sse`;
    this.#recorder = options.log.openExchange(true);
  }

  head(head: ResponseHead): void {
    recordResponse(this.#options, { stream: STANDALONE }, head);
    this.#streams = head.streams;
    if (!head.streams) return;
    void this.#options.budget.enter({
      key: this.#place,
      rank: 'standalone',
      canYield: () => false,
      yield: () => undefined,
    });
  }

  failed(error: unknown): void {
    this.#options.onEnded({ code: 'session-ended', how: 'sse-failed', text: errorMessage(error) });
  }

  refused(status: number): void {
    this.#options.onEnded({ code: 'session-ended', how: 'sse-refused', status });
  }

  events(bytes: Uint8Array): Promise<TakenFrames> {
    return this.frames(this.#parser.feed(bytes).frames);
  }

  async frames(frames: readonly Frame[]): Promise<TakenFrames> {
    if (!this.#streams) return { forward: [], done: true };
    const { log, redactor, wire } = this.#options;
    const named = frames.filter(({ event }) => event === ENDPOINT);
    for (const { data } of named) {
      // Whoever knows the whole address can speak in this session.
      redactor.protectValues(data.split(/[/?&=#]/).filter((part) => SESSION_ID.test(part)));
      const endpoint = { code: 'old-sse', how: 'endpoint', url: redactor.text(data) } as const;
      log.append({ body: { kind: 'note', level: 'info', reason: endpoint } });
    }
    // Ids mean nothing here: there is no resuming.
    const messages = frames.filter(({ event }) => event === undefined).map(({ data }) => ({ data }));
    const of = { stream: STANDALONE, callId: undefined, replaying: false };
    const { forward } = await this.#recorder.record(messages, of);
    return { forward: [...named, ...awaited(forward, wire)], done: false };
  }

  end(end: ExchangeEnd): void {
    if (!this.#streams) return;
    const { log, budget, onEnded } = this.#options;
    budget.leave(this.#place);
    this.#recorder.close();
    const how = end.how === 'closed' ? 'closed' : 'broken';
    const broken = end.how === 'broken' && { reason: { code: 'broken', text: end.why } as const };
    log.append({ body: { kind: 'stream-end', stream: STANDALONE, how, ...broken } });
    onEnded({ code: 'session-ended', how: `sse-${how}` });
  }
}
