/** One connection to a server, made of the SDK's public parts; the next page load, or a restart, makes another. */
import '../../base/withoutEval.ts';
import { ulid } from 'ulid';
import { Client, type DiscoverResult, type JSONRPCMessage, type Result } from '@modelcontextprotocol/client';
import { createAuthFetch } from '../../auth/authFetch.ts';
import type { TokenSource } from '../../auth/tokenSource.ts';
import type { Blocked } from '../../auth/login.ts';
import type { JsonObject } from '../../base/json.ts';
import type { EraVerdict } from '../../log/protocol/era.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { TaskError } from '../../log/state/receivedTask.ts';
import { createRecordingFetch } from '../../wire/recordingFetch.ts';
import { capabilitiesOf, type OfferedCapabilities } from './capabilities.ts';
import type { EnvelopeFacts } from '../protocol/envelope.ts';
import { negotiate, type Negotiated } from '../protocol/negotiate.ts';
import { RawRequests } from '../protocol/rawRequests.ts';
import type { EraRequests, ToolCall } from '../protocol/requests.ts';
import { SessionRequests } from '../protocol/sessionRequests.ts';
import { statusOfGet } from './statusOfGet.ts';
import { StatelessRequests } from '../protocol/statelessRequests.ts';
import { ExchangeRouter, type Router } from './exchangeRouter.ts';
import { OldSseRouter } from './oldSse/oldSseRouter.ts';
import { ResumableTransport } from './resumableTransport.ts';
import { Streams } from '../streams/streams.ts';
import type { EmitLinkEvent } from '../streams/linkEvent.ts';
import type { StreamWire } from '../streams/streamsOptions.ts';
import type { SessionCheck, SessionHealth } from '../exchange/sessionCheck.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { LinkOptions } from './linkOptions.ts';
import type { Session } from './session.ts';
import { USER_DECLINED } from '../protocol/taskResponses.ts';
import { makeTransport, type SendOptions, type WireTransport } from './wireTransport.ts';

/** What is different from one connection of a link to the next. */
export interface Attempt {
  /** The session to take up; without one a new session is begun. */
  readonly session: Session | undefined;
  /** Over the transport of 2024-11-05. */
  readonly isOldSse: boolean;
  readonly revision: Revision;
  readonly tokens: TokenSource;
  readonly sessionCheck: SessionCheck;
  readonly emit: EmitLinkEvent;
}

const HANDSHAKE_TIMEOUT_MS = 30_000;
/** A stateless server sends log messages only to whom asks for them. */
const DEFAULT_LOG_LEVEL = 'info';

export class Connection implements StreamWire {
  readonly client: Client;
  readonly streams: Streams;
  readonly #options: LinkOptions;
  readonly #attempt: Attempt;
  readonly #capabilities: OfferedCapabilities;
  readonly #inner: WireTransport;
  readonly #transport: ResumableTransport;
  readonly #raw = new RawRequests();
  /** A stateless server is told of a cancellation by the end of the request. */
  readonly #aborts = new Map<string, AbortController>();
  #requests: EraRequests = new SessionRequests({});
  #negotiated: Negotiated | undefined;
  #isOpen = false;
  #blocked: Blocked | undefined;

  constructor(options: LinkOptions, attempt: Attempt) {
    this.#options = options;
    this.#attempt = attempt;
    const { url, credentials, clock, log, budget } = options;
    const { session, isOldSse, tokens, emit } = attempt;
    const { bearer, headers } = credentials;
    const fetch = createRecordingFetch({
      fetch:
        bearer === undefined
          ? createAuthFetch(options.fetch, tokens, (blocked) => this.#refused(blocked))
          : options.fetch,
      now: () => clock.now(),
      ...(options.whenStaying && { whenStaying: options.whenStaying }),
      listen: (method, headers, body) => router.listen(method, headers, body),
      onStream: (listener, handle) => {
        router.attach(listener, handle);
      },
    });
    this.#inner = makeTransport({
      url,
      isOldSse,
      fetch,
      authProvider: { token: () => (bearer === undefined ? this.#token() : Promise.resolve(bearer)) },
      ...(headers && { headers }),
      ...(session && { session }),
    });
    this.#transport = new ResumableTransport({
      inner: this.#inner,
      newId: ulid,
      take: (message) => this.#raw.take(message),
      ...(session && { handshake: session.handshake }),
    });
    const recording = {
      ...options,
      awaits: (id: string | number) => this.#transport.awaits(id) || this.#raw.awaits(id),
      namesEvents: () => !isOldSse && this.#requests.era === 'session',
    };
    this.streams = new Streams({ log, clock, budget, wire: this, emit });
    const router: Router = isOldSse
      ? new OldSseRouter({ ...recording, emit, onEnded: (reason) => this.#oldStreamEnded(reason) })
      : new ExchangeRouter(recording, this.streams);
    this.#capabilities = capabilitiesOf(options.offers, options.withheld);
    this.client = new Client(options.clientInfo, { capabilities: this.#capabilities.always });
  }

  get hasSession(): boolean {
    return this.#inner.sessionId !== undefined;
  }

  get isStateless(): boolean {
    return this.#requests.era === 'stateless';
  }

  /** What the last refusal has led to, where a token could not help. */
  get blocked(): Blocked | undefined {
    return this.#blocked;
  }

  openStream(key: string): Promise<void> {
    return this.#inner.resumeStream(key);
  }

  checkSession(): Promise<SessionHealth> {
    return this.#attempt.sessionCheck.run(this.client);
  }

  /** Once a login is needed, requests that are refused at the same time change nothing about it. */
  #refused(blocked: Blocked | undefined): void {
    if (this.#blocked?.name !== 'login') this.#blocked = blocked;
  }

  /** A token of an earlier page was never seen on its way here: it must be hidden too. */
  async #token(): Promise<string | undefined> {
    const token = await this.#attempt.tokens.token();
    if (token !== undefined) this.#options.redactor.protectValues([token]);
    return token;
  }

  /** Shakes hands: on the wire, or with the stored answer. A stateless server is only asked who it is. */
  async open(): Promise<Session> {
    const { session, isOldSse } = this.#attempt;
    const discover = session || isOldSse ? session?.discover : await this.#discover();
    if (discover) {
      this.client.registerCapabilities(this.#capabilities.stateless);
      await this.client.connect(this.#transport, { prior: { kind: 'modern', discover } });
      const protocolVersion = this.client.getNegotiatedProtocolVersion() ?? '';
      this.#requests = new StatelessRequests(discover.capabilities, () => ({
        ...this.#facts(protocolVersion),
        logLevel: this.#options.preferences.value.level?.name ?? DEFAULT_LOG_LEVEL,
      }));
    } else {
      this.client.registerCapabilities(this.#capabilities.session);
      if (this.#capabilities.session.roots) {
        this.client.setRequestHandler('roots/list', () => ({
          roots: this.#options.preferences.value.roots.map((root) => ({ ...root })),
        }));
      }
      await this.client.connect(this.#transport, { timeout: HANDSHAKE_TIMEOUT_MS });
      this.#requests = new SessionRequests(this.client.getServerCapabilities() ?? {});
    }
    this.#isOpen = true;
    return this.session;
  }

  /** What was found out about the server, if it had to be. */
  get verdict(): Omit<EraVerdict, 'at'> {
    const { era } = this.#requests;
    const { protocolVersion, transport } = this.session;
    if (transport) return { era, protocolVersion, transport, reason: { code: 'old-sse', how: 'found' } };
    return { era, protocolVersion, reason: this.#negotiated?.reason ?? { code: 'chosen', era } };
  }

  get requests(): EraRequests {
    return this.#requests;
  }

  get session(): Session {
    const { sessionId, protocolVersion = '' } = this.#inner;
    const instructions = this.client.getInstructions();
    const discover = this.client.getDiscoverResult();
    return {
      ...(sessionId !== undefined && { sessionId }),
      protocolVersion,
      handshake: {
        protocolVersion,
        capabilities: this.client.getServerCapabilities() ?? {},
        serverInfo: this.client.getServerVersion() ?? { name: 'unknown', version: '' },
        ...(instructions !== undefined && { instructions }),
      },
      ...(discover && { discover }),
      ...(this.#attempt.isOldSse && { transport: 'sse' }),
    };
  }

  /**
   * A call does not go through the Client: its answer may come to another page than this one, so every call is
   * settled by the log, and the SDK need not parse what it would only hand on. Its id is its progress token as well.
   */
  callTool(call: ToolCall): Promise<void> {
    const { callId, wireId, method = 'tools/call' } = call;
    const { params, headers } = this.#requests.callParams(call, this.#options.toolOf(call.tool));
    const abort = new AbortController();
    if (this.#requests.era === 'stateless') this.#aborts.set(callId, abort);
    return this.#post(wireId, callId, method, params, { headers, requestSignal: abort.signal });
  }

  /** A session server is told; for a stateless one the end of the request says it. */
  async cancel(callId: string, reason: string): Promise<void> {
    this.#aborts.get(callId)?.abort();
    this.#aborts.delete(callId);
    if (this.#requests.era === 'stateless') return;
    await this.#inner.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: callId, reason },
    });
  }

  decline(id: string | number, message: string): Promise<void> {
    return this.send({ jsonrpc: '2.0', id, error: { code: USER_DECLINED, message } });
  }

  answer(id: string | number, result: Result): Promise<void> {
    return this.send({ jsonrpc: '2.0', id, result });
  }

  /** The response to a request about a task. */
  respond(id: string | number, body: { result: Result } | { error: TaskError }): Promise<void> {
    return this.send({ jsonrpc: '2.0', id, ...body });
  }

  /** Any other request, with the answer as it is: a result, or an error. */
  ask(id: string, method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject> {
    return this.#ask(id, method, this.#requests.params(params), timeoutMs);
  }

  /** As `ask`, for an answer that takes its time: where the server names positions, its stream is resumed. */
  askAtLength(id: string, method: string, params: JsonObject): Promise<JsonObject> {
    const message: JSONRPCMessage = { jsonrpc: '2.0', id, method, params: this.#requests.params(params) };
    return this.#raw.ask({
      id,
      send: (onLost) => this.streams.post(id, undefined, () => this.send(message), onLost),
    });
  }

  /** The answer to what an earlier page asked: from where its stream stood. */
  async resumeAnswer(id: string, cursor: string): Promise<JsonObject> {
    return this.#raw.ask({
      id,
      send: async (onLost) =>
        this.streams.restore(id, undefined, { lastEventId: cursor, wasAnswered: true }, onLost),
    });
  }

  /** Opens the stream of a stateless server that belongs to no call. */
  listen(id: string, notifications: JsonObject, signal: AbortSignal): Promise<void> {
    const params = this.#requests.params({ notifications });
    return this.#post(id, undefined, 'subscriptions/listen', params, { requestSignal: signal });
  }

  /** Does a server that speaks 2026-07-28 show a sign of sessions? */
  async statusOfGet(timeoutMs: number): Promise<number | undefined> {
    const { bearer, headers } = this.#options.credentials;
    const token = bearer ?? (await this.#token());
    return statusOfGet({ ...this.#options, token, headers }, timeoutMs);
  }

  /** Ends the session on the server: for a person who leaves for good, never for a page that is reloaded. */
  terminate(): Promise<void> {
    return this.#inner.terminateSession();
  }

  async close(): Promise<void> {
    this.streams.close();
    await this.client.close();
  }

  /** On the old transport an answer comes on the one stream, and a POST holds no connection for it. */
  #post(
    id: string,
    callId: string | undefined,
    method: string,
    params: JsonObject,
    options: SendOptions,
  ): Promise<void> {
    const send = () => this.#inner.send({ jsonrpc: '2.0', id, method, params }, options);
    return this.#attempt.isOldSse ? send() : this.streams.post(id, callId, send);
  }

  /** Before the handshake is done, whoever waits for it must hear that it will not be. */
  #oldStreamEnded(reason: Reason): void {
    if (this.#isOpen) this.#attempt.emit({ kind: 'session-gone', reason });
    else void this.#inner.close();
  }

  async #discover(): Promise<DiscoverResult | undefined> {
    this.#negotiated = await negotiate(this.#attempt.revision, (protocolVersion, timeoutMs) => {
      const facts = new StatelessRequests({}, () => this.#facts(protocolVersion));
      return this.#ask(ulid(), 'server/discover', facts.params({}), timeoutMs);
    });
    return this.#negotiated?.discover;
  }

  #facts(protocolVersion: string): EnvelopeFacts {
    return {
      protocolVersion,
      clientInfo: this.#options.clientInfo,
      capabilities: { ...this.#capabilities.always, ...this.#capabilities.stateless },
    };
  }

  #ask(id: string, method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject> {
    const abort = new AbortController();
    const answer = this.#raw.ask({
      id,
      ...(timeoutMs !== undefined && { timeoutMs }),
      send: (onEnd) =>
        this.#inner.send(
          { jsonrpc: '2.0', id, method, params },
          { requestSignal: abort.signal, onRequestStreamEnd: onEnd },
        ),
    });
    // Whoever does not wait any more does not leave the request open.
    return answer.finally(() => abort.abort());
  }

  private send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }
}
