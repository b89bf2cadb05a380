/** One HTTP exchange of a stream: records what comes over it, and reports to the streams what became of it. */
import type { ExchangeEnd, ResponseHead, ExchangeListener, Frame } from '../../wire/exchange.ts';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/format.ts';
import type { Log } from '../../log/log.ts';
import type { Redactor } from '../../wire/redact.ts';
import type { FailedRequest, Outcome } from './classifyFailure.ts';
import { recordResponse } from './recordResponse.ts';
import { malformed, recordFrames, type FrameContext } from './recordFrames.ts';
import { ReplayWindow } from './replayWindow.ts';
import { RunWatch } from './runWatch.ts';
import type { ReplayFilter } from './replayFilter.ts';
import type { StreamConnection } from './streamConnection.ts';

/** Notifications and answers of ours have no stream of their own. */
export const OUTGOING = 'outgoing';

/** The connection whose exchanges are recorded. */
export interface RecordedWire {
  /** MCP 2026-07-28 has no event IDs: what stands in their place means nothing, and must never be resumed from. */
  readonly hasEventIds: boolean;
  /** Does this page wait for a response with this ID? */
  awaits(id: string | number): boolean;
}

export interface Recording {
  readonly clock: Clock;
  readonly log: Log;
  readonly seen: ReplayFilter;
  readonly redactor: Redactor;
  /** The schema of a tool says which of its arguments are secret. */
  readonly toolOf: (name: string) => { readonly inputSchema?: object } | undefined;
  readonly wire: RecordedWire;
}

/** What one chunk of a stream has brought. */
export interface Heard {
  readonly eventId: string | undefined;
  /** A priming event and what was received before are not new. */
  readonly isNew: boolean;
  /** The IDs of the requests that were answered. */
  readonly responses: readonly string[];
}

export interface ExchangeReports {
  opened(connection: StreamConnection, isGet: boolean): void;
  heard(connection: StreamConnection, heard: Heard): void;
  retry(connection: StreamConnection, delayMs: number): void;
  ended(connection: StreamConnection, end: ExchangeEnd): void;
  failed(connection: StreamConnection, request: FailedRequest, outcome: Outcome): void;
}

export class StreamExchange implements ExchangeListener {
  readonly connection: StreamConnection;
  readonly #recording: Recording;
  readonly #reports: ExchangeReports;
  readonly #request: FailedRequest;
  readonly #replay: ReplayWindow;
  readonly #runs: RunWatch;
  readonly #responseTo: string | undefined;
  #contentType: string | undefined;

  constructor(
    recording: Recording,
    reports: ExchangeReports,
    connection: StreamConnection,
    request: FailedRequest,
    responseTo?: string,
  ) {
    this.#recording = recording;
    this.#reports = reports;
    this.connection = connection;
    this.#request = request;
    this.#replay = new ReplayWindow(recording.clock);
    this.#runs = new RunWatch(request === 'stream');
    this.#responseTo = responseTo;
    connection.isSilent = false;
  }

  get lastEventId(): string | null {
    return this.connection.lastEventId ?? null;
  }

  head(head: ResponseHead): void {
    const { key, callId, fillsGap } = this.connection;
    this.#contentType = head.responseHeaders.get('content-type') ?? undefined;
    recordResponse(this.#recording, { stream: key, callId, responseTo: this.#responseTo }, head);
    if (!head.streams) return;
    if (fillsGap && this.lastEventId !== null) this.#replay.open(head.durationMs);
    this.#reports.opened(this.connection, this.#request === 'stream');
  }

  failed(error: unknown): void {
    this.#reports.failed(this.connection, this.#request, { kind: 'threw', why: errorMessage(error) });
  }

  refused(status: number, body: string): void {
    this.#reports.failed(this.connection, this.#request, {
      kind: 'status',
      status,
      body,
      ...(this.#contentType !== undefined && { contentType: this.#contentType }),
    });
  }

  frames(frames: readonly Frame[]): { forward: readonly Frame[]; done: boolean } {
    const { log } = this.#recording;
    const named = this.#recording.wire.hasEventIds ? frames : frames.map(({ data }) => ({ data }));
    const { drafts, forward, cursor, responses } = recordFrames(named, this.#context());
    // A priming event has no message: the replay is still to come.
    if (frames.some(({ data }) => data !== '')) this.#replay.extend();
    // First: a position ahead of the entries would skip them after a reload.
    log.appendAll(drafts);
    const isNew = drafts.some(({ body }) => body.kind === 'received');
    this.#reports.heard(this.connection, { eventId: cursor, isNew, responses });
    return { forward, done: responses.includes(this.connection.key) };
  }

  retry(delayMs: number): void {
    this.#reports.retry(this.connection, delayMs);
  }

  end(end: ExchangeEnd): void {
    if (end.how === 'oversized') {
      this.#recording.log.append(malformed({ data: '' }, { code: 'message-too-large' }, this.#context()));
    }
    this.#replay.close();
    this.#reports.ended(this.connection, end);
  }

  #context(): FrameContext {
    const { seen, redactor, log, wire } = this.#recording;
    const { key, callId } = this.connection;
    return {
      stream: key,
      callId,
      listens: this.#request === 'stream',
      replaying: this.#replay.isOpen,
      seen,
      runs: this.#runs,
      redactor,
      calls: log.state.calls,
      awaits: (id) => wire.awaits(id),
    };
  }
}
