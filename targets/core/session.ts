/** One session: its server, its event store, its transports, and whether anybody still uses it. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { LogSink } from './log.ts';
import { MemoryEventStore } from './memoryEventStore.ts';
import { PRIMING_SINCE, STANDALONE_STREAM_ID } from './messages.ts';
import { OpenBodies } from './openBodies.ts';
import type { StreamKind, TargetOptions } from './options.ts';
import { RunOnce } from './runOnce.ts';
import { createServer } from './server.ts';
import { SessionTransport, type HttpTransport } from './sessionTransport.ts';
import { frameId, isEventStream, pipeFrames, primingFrame, sseHeaders } from './sse.ts';
import type { SessionStats } from './stats.ts';
import { StreamLedger } from './streamLedger.ts';

export interface SessionContext {
  readonly options: TargetOptions;
  readonly stats: SessionStats;
  readonly log: LogSink;
  readonly now: () => number;
  /** The session has answered `initialize`. */
  readonly onInitialized: (session: Session) => void;
  readonly onClosed: (session: Session, why: string) => void;
}

export class Session {
  readonly id: string;
  readonly server: McpServer;
  readonly bodies = new OpenBodies();
  readonly transport: SessionTransport;
  readonly ledger: StreamLedger | undefined;
  readonly #context: SessionContext;
  readonly #once: RunOnce | undefined;
  /** Resolves when nothing of the session is left. */
  readonly #ended: Promise<void>;
  #lastUsed: number;
  #whyClosed = 'deleted';

  constructor(id: string, context: SessionContext) {
    const { options, stats, log } = context;
    this.id = id;
    this.#context = context;
    this.#lastUsed = context.now();
    const createStore = options.createEventStore ?? ((sink: LogSink) => new MemoryEventStore({ log: sink }));
    this.ledger = options.createEventStore === null ? undefined : new StreamLedger(createStore(log));
    this.transport = new SessionTransport(this.#createHttpTransport(), {
      sessionId: id,
      stats,
      relate: options.relate,
      afterSend: (message, requestId) => {
        // A result that has just come in must find its client some time to fetch it.
        this.#lastUsed = context.now();
        options.afterSend?.(this, message, requestId);
      },
      onSettled: (requestId, answer, isLost) => {
        this.#once?.settle(requestId, answer);
        if (answer && isLost) options.onLostAnswer?.(this, answer);
      },
      onNotification: (method) => this.#onNotification(method),
    });
    if (!options.runsRepeats) {
      this.#once = new RunOnce({
        sessionId: id,
        streams: this.ledger,
        jsonResponses: options.jsonResponses ?? false,
        retryMs: options.retryMs,
        onRepeat: () => void (stats.repeats += 1),
      });
    }
    this.server = createServer({ ...options, log });
    this.#ended = new Promise((resolve) => {
      this.server.server.onclose = () => resolve(this.#end());
    });
    this.server.server.onerror = (error) => log({ event: 'session.error', message: error.message });
  }

  async open(): Promise<void> {
    await this.server.connect(this.transport);
  }

  /** The undo of the profile's `onSession`, if it has one. */
  stop: (() => void) | undefined;

  get isInUse(): boolean {
    return this.bodies.count > 0 || this.transport.runningCount > 0;
  }

  get idleMs(): number {
    return this.isInUse ? 0 : this.#context.now() - this.#lastUsed;
  }

  /** A new way in for the same server, with the same event store. */
  async recreateTransport(): Promise<void> {
    this.transport.current.closeStandaloneSSEStream();
    const http = this.#createHttpTransport();
    this.transport.attach(http);
    await http.start();
  }

  async post(request: Request, body: unknown): Promise<Response> {
    this.#context.stats.posts += 1;
    const run = () => this.transport.current.handleRequest(request, { parsedBody: body });
    return this.track(await (this.#once?.post(request, body, run) ?? run()), 'post');
  }

  async get(request: Request): Promise<Response> {
    const lastEventId = request.headers.get('last-event-id');
    if (!lastEventId) return this.track(await this.#openStandalone(request), 'standalone');
    const response = await this.#resume(request, lastEventId);
    if (response.ok) this.#context.log({ event: 'session.resumed', lastEventId });
    return this.track(response, 'resumed');
  }

  async delete(request: Request): Promise<Response> {
    const response = await this.transport.current.handleRequest(request);
    if (response.ok) await this.#ended;
    return response;
  }

  async close(why: string): Promise<void> {
    this.#whyClosed = why;
    await this.server.close();
    await this.#ended;
  }

  async #end(): Promise<void> {
    const { log, onClosed } = this.#context;
    this.#once?.close();
    onClosed(this, this.#whyClosed);
    try {
      await this.ledger?.close();
    } catch (error) {
      log({ event: 'event_store.not_cleared', message: String(error) });
    }
  }

  /** Lets time limits of the event store take effect. */
  async prune(): Promise<void> {
    const store = this.ledger?.store;
    if (store instanceof MemoryEventStore) store.prune();
    await this.ledger?.prune();
  }

  /**
   * A resumed stream ends after its response, as a first-hand one does. The SDK closes it only if the response is still to
   * come, and that can change while the store is replaying: so each frame is asked.
   */
  async #resume(request: Request, lastEventId: string): Promise<Response> {
    const { ledger } = this;
    const streamId = await ledger?.streamOf(lastEventId);
    if (!ledger) return this.transport.current.handleRequest(request);
    if (streamId === undefined) {
      this.#context.log({ event: 'event_store.unknown_id', eventId: lastEventId });
      return this.transport.current.handleRequest(request);
    }
    const endsAt = (eventId: string | undefined) =>
      (this.#context.options.endsResumedStreams ?? true) && ledger.isLast(streamId, eventId);
    if (endsAt(lastEventId)) return new Response('', { headers: sseHeaders(this.id) });
    const http = ledger.ownerOf(streamId) ?? this.transport.current;
    const response = await http.handleRequest(request);
    if (!isEventStream(response)) return response;
    return pipeFrames(response, { decide: (frame) => (endsAt(frameId(frame)) ? 'end' : 'pass') });
  }

  /**
   * The SDK gives the standalone stream no priming event, so a page that leaves before the first message would have no
   * position in it. We store one and open the stream as a resume from there: nothing can slip in between.
   */
  async #openStandalone(request: Request): Promise<Response> {
    const http = this.transport.current;
    const version = request.headers.get('mcp-protocol-version') ?? '';
    if (!this.ledger?.store.getStreamIdForEventId || version < PRIMING_SINCE)
      return http.handleRequest(request);
    const eventId = await this.ledger.storeFor(() => http).storeEvent(STANDALONE_STREAM_ID, NO_MESSAGE);
    const headers = new Headers(request.headers);
    headers.set('last-event-id', eventId);
    const response = await http.handleRequest(new Request(request.url, { headers }));
    if (!isEventStream(response)) return response;
    return pipeFrames(response, { first: primingFrame(eventId, this.#context.options.retryMs) });
  }

  #createHttpTransport(): HttpTransport {
    const { options } = this.#context;
    const http: HttpTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      enableJsonResponse: options.jsonResponses ?? false,
      ...(this.ledger && { eventStore: this.ledger.storeFor(() => http) }),
      ...(options.retryMs !== undefined && { retryInterval: options.retryMs }),
      onsessioninitialized: () => this.#context.onInitialized(this),
    });
    return http;
  }

  #onNotification(method: string): void {
    if (method !== 'notifications/initialized' || this.stop) return;
    this.stop = this.#context.options.onSession?.(this);
  }

  /** Counts a stream as open until somebody ends it. */
  track(response: Response, kind: StreamKind): Response {
    this.#lastUsed = this.#context.now();
    if (!isEventStream(response)) return response;
    const { stats, options } = this.#context;
    stats.openStreams += 1;
    return this.bodies.track(options.shape?.(response, kind) ?? response, (how) => {
      stats.openStreams -= 1;
      this.#lastUsed = this.#context.now();
      options.onStreamEnd?.(this, how);
    });
  }
}

/** What the SDK stores for a priming event: an event without a message. */
const NO_MESSAGE = {} as never;
