/** One HTTP exchange of a stream: records what comes over it, and reports to the streams what became of it. */
import type { ExchangeEnd, ResponseHead, ExchangeListener, Frame, TakenFrames } from '../../wire/exchange.ts';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/format.ts';
import type { EventBytes } from '../../wire/heldBytes.ts';
import type { ExchangeRecorder, FramesOf, Recorded, ServerLog } from '../../recorder/serverLog.ts';
import type { Redactor } from '../../wire/redact.ts';
import { bringsMessage } from './bringsMessage.ts';
import type { FailedRequest, Outcome } from './classifyFailure.ts';
import { recordResponse } from './recordResponse.ts';
import { ReplayWindow } from './replayWindow.ts';
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
  readonly log: ServerLog;
  readonly redactor: Redactor;
  /** The schema of a tool says which of its arguments are secret. */
  readonly toolOf: (name: string) => { readonly inputSchema?: object } | undefined;
  readonly wire: RecordedWire;
}

/** What one chunk of a stream has brought. */
export type Heard = Omit<Recorded, 'forward'>;

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
  readonly #recorder: ExchangeRecorder;
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
    this.#recorder = recording.log.openExchange(request === 'stream');
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

  async events(bytes: EventBytes): Promise<TakenFrames> {
    const { hasEventIds } = this.#recording.wire;
    const events = this.#recorder.events(bytes, { ...this.#source(), hasEventIds });
    // A priming event has no message: the replay is still to come.
    if (this.#replay.isOpen && bringsMessage(bytes)) this.#replay.extend();
    const { recorded, retryMs } = await events;
    if (retryMs !== undefined) this.#reports.retry(this.connection, retryMs);
    return recorded ? this.#take(recorded) : { forward: [], done: false };
  }

  async frames(frames: readonly Frame[]): Promise<TakenFrames> {
    return this.#take(await this.#recorder.record(frames, this.#source()));
  }

  #source(): FramesOf {
    const { key: stream, callId } = this.connection;
    return { stream, callId, replaying: this.#replay.isOpen };
  }

  /** When it is recorded: a position ahead of the entries would skip them after a reload. */
  #take({ forward, ...heard }: Recorded): TakenFrames {
    this.#reports.heard(this.connection, heard);
    const done = heard.responses.includes(this.connection.key);
    return { forward: awaited(forward, this.#recording.wire), done };
  }

  end(end: ExchangeEnd): void {
    if (end.how === 'oversized') this.#recordOversized();
    this.#replay.close();
    this.#recorder.close();
    this.#reports.ended(this.connection, end);
  }

  #recordOversized(): void {
    const { key: stream, callId } = this.connection;
    const of = { stream, ...(callId !== undefined && { callId }) };
    const reason = { code: 'message-too-large' } as const;
    this.#recording.log.append({ body: { kind: 'malformed', ...of, reason, excerpt: '' } });
  }
}

/** What the transport has to hand on: of the responses, those that this page waits for. */
export function awaited(forward: Recorded['forward'], wire: Pick<RecordedWire, 'awaits'>): readonly Frame[] {
  return forward
    .filter(({ responseTo }) => responseTo === undefined || wire.awaits(responseTo))
    .map(({ data }) => ({ data }));
}
