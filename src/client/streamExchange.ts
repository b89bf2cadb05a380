/** One HTTP exchange of a stream: records what comes over it, and reports to the streams what became of it. */
import type { ExchangeEnd, ExchangeHead, ExchangeListener, Frame } from '../wire/exchange.ts';
import type { Clock } from '../base/clock.ts';
import { reason } from '../base/words.ts';
import type { Log } from '../log/log.ts';
import type { Redactor } from '../wire/redact.ts';
import type { FailedRequest, Outcome } from './classifyFailure.ts';
import type { LiveStream } from './liveStream.ts';
import { recordHead } from './recordHead.ts';
import { malformed, recordFrames, type FrameContext } from './recordFrames.ts';
import type { SeenEvents } from './seenEvents.ts';

/** Notifications and answers of ours have no stream of their own. */
export const OUTGOING = 'outgoing';

/** A replay comes in one go. The stream is live again when it falls silent for this long. */
const REPLAY_STARTS_WITHIN_MS = 60;
const REPLAY_PAUSES_AT_MOST_MS = 30;

export interface Recording {
  readonly clock: Clock;
  readonly log: Log;
  readonly seen: SeenEvents;
  readonly redactor: Redactor;
  /** The schema of a tool says which of its arguments are secret. */
  readonly toolOf: (name: string) => { readonly inputSchema?: object } | undefined;
  /** Does the SDK's Client wait for an answer with this id? */
  readonly awaits: (id: string | number) => boolean;
  /** MCP 2026-07-28 has no event ids: what stands in their place means nothing, and must never be resumed from. */
  readonly namesEvents: () => boolean;
}

export interface ExchangeReports {
  opened(stream: LiveStream, resumed: boolean): void;
  heard(stream: LiveStream, resumed: boolean): void;
  ended(stream: LiveStream, end: ExchangeEnd, answered: boolean): void;
  failed(stream: LiveStream, request: FailedRequest, outcome: Outcome): void;
}

export class StreamExchange implements ExchangeListener {
  readonly stream: LiveStream;
  readonly #recording: Recording;
  readonly #reports: ExchangeReports;
  readonly #request: FailedRequest;
  readonly #resumed: boolean;
  #replaying = false;
  #cancelReplayTimer: (() => void) | undefined;
  #answered = false;
  #contentType: string | undefined;

  constructor(recording: Recording, reports: ExchangeReports, stream: LiveStream, request: FailedRequest) {
    this.#recording = recording;
    this.#reports = reports;
    this.stream = stream;
    this.#request = request;
    this.#resumed = request === 'stream' && stream.cursor !== undefined;
  }

  get lastEventId(): string | null {
    return this.stream.cursor ?? null;
  }

  head(head: ExchangeHead): void {
    this.#contentType = head.responseHeaders.get('content-type') ?? undefined;
    recordHead(this.#recording, this.stream.key, this.stream.callId, head);
    if (!head.streams) return;
    if (this.#resumed) this.#replayUntilQuiet(REPLAY_STARTS_WITHIN_MS);
    this.#reports.opened(this.stream, this.#request === 'stream');
  }

  failed(error: unknown): void {
    this.#reports.failed(this.stream, this.#request, { kind: 'threw', why: reason(error) });
  }

  refused(status: number, body: string): void {
    this.#reports.failed(this.stream, this.#request, {
      kind: 'status',
      status,
      body,
      ...(this.#contentType !== undefined && { contentType: this.#contentType }),
    });
  }

  frames(frames: readonly Frame[]): { forward: readonly Frame[]; done: boolean } {
    const { log } = this.#recording;
    const named = this.#recording.namesEvents() ? frames : frames.map(({ data }) => ({ data }));
    const { drafts, forward, cursor, answered } = recordFrames(named, this.#context());
    if (answered) this.#answered = true;
    if (this.#replaying) this.#replayUntilQuiet(REPLAY_PAUSES_AT_MOST_MS);
    log.appendAll(drafts);
    // Not before the entries are in the log: a position ahead of them would skip them after a reload.
    if (cursor !== undefined) this.stream.cursor = cursor;
    this.#reports.heard(this.stream, this.#resumed);
    return { forward, done: this.#answered };
  }

  retry(delayMs: number): void {
    this.stream.retryMs = delayMs;
  }

  end(end: ExchangeEnd): void {
    this.#cancelReplayTimer?.();
    if (end.how === 'oversized') {
      const why = 'This message is too large to be read.';
      this.#recording.log.append(malformed({ data: '' }, why, this.#context()));
    }
    this.#reports.ended(this.stream, end, this.#answered);
  }

  #context(): FrameContext {
    const { seen, redactor, log, awaits } = this.#recording;
    return {
      stream: this.stream.key,
      callId: this.stream.callId,
      listens: this.#request === 'stream',
      replaying: this.#replaying,
      seen,
      redactor,
      calls: log.head.calls,
      awaits,
    };
  }

  #replayUntilQuiet(quietMs: number): void {
    this.#replaying = true;
    this.#cancelReplayTimer?.();
    this.#cancelReplayTimer = this.#recording.clock.after(quietMs, () => {
      this.#replaying = false;
    });
  }
}
