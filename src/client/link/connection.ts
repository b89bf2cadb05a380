/** One connection to a server; the next page load, or a restart, makes another. */
import type { JSONRPCMessage, Result } from '@modelcontextprotocol/client';
import { ulid } from '../../base/ulid.ts';
import { createAuthFetch } from '../../auth/authFetch.ts';
import type { Blocked } from '../../auth/login.ts';
import type { JsonObject } from '../../base/json.ts';
import type { EraVerdict } from '../../log/protocol/era.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { TaskError } from '../../log/state/receivedTask.ts';
import { createRecordingFetch, type Fetch } from '../../wire/recordingFetch.ts';
import type { SessionHealth } from '../exchange/sessionCheck.ts';
import type { ProtocolDriver, ToolCall } from '../protocol/driver.ts';
import { RawRequests } from '../protocol/rawRequests.ts';
import { USER_DECLINED } from '../protocol/taskResponses.ts';
import { Streams } from '../streams/streams.ts';
import type { StreamWire } from '../streams/streamsOptions.ts';
import type { Attempt } from './attempt.ts';
import { capabilitiesOf, type OfferedCapabilities } from './capabilities.ts';
import type { Router } from './exchangeRouter.ts';
import { shakeHands, type ServerFacts } from './handshake.ts';
import type { LinkOptions } from './linkOptions.ts';
import { Peer } from './peer.ts';
import type { Session } from './session.ts';
import { statusOfGet } from './statusOfGet.ts';
import type { SendOptions, Wire, WireTransport } from './wires.ts';

export { STREAMABLE_HTTP } from './wires.ts';

export class Connection implements StreamWire {
  readonly peer: Peer;
  readonly streams: Streams;
  readonly #options: LinkOptions;
  readonly #attempt: Attempt;
  readonly #wire: Wire;
  readonly #inner: WireTransport;
  readonly #raw = new RawRequests();
  /** Where the end of a request is what cancels it. */
  readonly #aborts = new Map<string, AbortController>();
  readonly #capabilities: OfferedCapabilities;
  #driver: ProtocolDriver;
  #server: ServerFacts | undefined;
  /** How the way of the protocol was found out, if it had to be. */
  #foundBy: Reason | undefined;
  #isOpen = false;
  #blocked: Blocked | undefined;

  constructor(options: LinkOptions, attempt: Attempt) {
    this.#options = options;
    this.#attempt = attempt;
    const { url, credentials, clock, log, budget } = options;
    const { session, tokens, emit, wire, recalled } = attempt;
    const { bearer, headers } = credentials;
    this.#wire = wire;
    this.#driver = wire.driver();
    const plain = wire.answersOnPost ? (log.reads?.(options.fetch) ?? options.fetch) : options.fetch;
    const send =
      bearer === undefined ? createAuthFetch(plain, tokens, (blocked) => this.#refused(blocked)) : plain;
    const fetch = createRecordingFetch({
      fetch: recalled ? answerAfter(recalled, send) : send,
      now: () => clock.now(),
      ...(options.whenStaying && { whenStaying: options.whenStaying }),
      ...(options.untilLeaving && { untilLeaving: options.untilLeaving }),
      listen: (request) => router.listen(request),
      onStream: (listener, handle) => router.attach(listener, handle),
    });
    const token = (): Promise<string | undefined> =>
      bearer === undefined ? this.#token() : Promise.resolve(bearer);
    this.#inner = wire.makeTransport({ url, fetch, token, headers, session });
    this.#capabilities = capabilitiesOf(options.offers, options.withheld);
    this.peer = new Peer({
      transport: this.#inner,
      driver: () => this.#driver,
      newId: ulid,
      raw: this.#raw,
      ...(this.#capabilities.session.roots && { roots: () => options.preferences.value.roots }),
    });
    this.streams = new Streams({ log, clock, budget, wire: this, emit });
    const router: Router = wire.makeRouter({
      recording: { ...options, wire: this },
      streams: this.streams,
      budget,
      emit,
      onEnded: (reason) => this.#onlyStreamEnded(reason),
    });
  }

  get driver(): ProtocolDriver {
    return this.#driver;
  }

  get hasSession(): boolean {
    return this.#inner.sessionId !== undefined;
  }

  get closeCancels(): boolean {
    return this.#driver.closeCancels;
  }

  get hasEventIds(): boolean {
    return this.#driver.hasEventIds;
  }

  /** Does somebody in this page wait for an answer with this id? */
  awaits(id: string | number): boolean {
    return this.peer.awaits(id) || this.#raw.awaits(id);
  }

  /** What the last refusal has led to, where a token could not help. */
  get blocked(): Blocked | undefined {
    return this.#blocked;
  }

  openStream(key: string): Promise<void> {
    return this.#inner.openStream(key);
  }

  checkSession(): Promise<SessionHealth> {
    return this.#attempt.sessionCheck.run(this.peer);
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

  async open(): Promise<Session> {
    const { driver, server, reason } = await shakeHands({
      ...this.#options,
      ...this.#attempt,
      peer: this.peer,
      transport: this.#inner,
      wire: this.#wire,
      capabilities: this.#capabilities,
      ask: (method, params, timeoutMs) => this.#ask(ulid(), method, params, timeoutMs),
    });
    this.#driver = driver;
    this.#server = server;
    this.#foundBy = reason;
    this.#isOpen = true;
    if (this.#hasNewStream()) this.streams.listen();
    return this.session;
  }

  /** A session that is taken up has its stream already; a server of 2026-07-28 has none, and HTTP+SSE no other. */
  #hasNewStream(): boolean {
    return this.#wire.answersOnPost && !this.#driver.closeCancels && !this.#attempt.session;
  }

  /** What was found out about the server, if it had to be. */
  get verdict(): Omit<EraVerdict, 'at'> {
    const { era } = this.#driver;
    const { protocolVersion, transport } = this.session;
    if (transport) return { era, protocolVersion, transport, reason: { code: 'old-sse', how: 'found' } };
    return { era, protocolVersion, reason: this.#foundBy ?? { code: 'chosen', era } };
  }

  get session(): Session {
    const { sessionId, protocolVersion = '' } = this.#inner;
    const { capabilities = {}, serverInfo, instructions, discover } = this.#server ?? {};
    return {
      ...(sessionId !== undefined && { sessionId }),
      protocolVersion,
      handshake: {
        protocolVersion,
        capabilities,
        serverInfo: serverInfo ?? { name: 'unknown', version: '' },
        ...(instructions !== undefined && { instructions }),
      },
      ...(discover && { discover }),
      ...this.#wire.stored,
    };
  }

  /**
   * A call does not go through the peer: its answer may come to another page than this one, so every call is
   * settled by the log. Its id is its progress token as well.
   */
  callTool(call: ToolCall): Promise<void> {
    const { callId, wireId, method = 'tools/call' } = call;
    const { params, headers } = this.#driver.callParams(call, this.#options.toolOf(call.tool));
    const abort = new AbortController();
    if (this.#driver.closeCancels) this.#aborts.set(callId, abort);
    return this.#post(wireId, callId, method, params, { headers, requestSignal: abort.signal });
  }

  /** The server is told; or the end of the request says it. */
  async cancel(callId: string, reason: string): Promise<void> {
    this.#aborts.get(callId)?.abort();
    this.#aborts.delete(callId);
    const told = this.#driver.cancellation(callId, reason);
    if (told) await this.#inner.send(told);
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
    return this.#ask(id, method, this.#driver.params(params), timeoutMs);
  }

  /** As `ask`, for an answer that takes its time: where the server names positions, its stream is resumed. */
  askAtLength(id: string, method: string, params: JsonObject): Promise<JsonObject> {
    const message: JSONRPCMessage = { jsonrpc: '2.0', id, method, params: this.#driver.params(params) };
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
    const params = this.#driver.params({ notifications });
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
    await this.peer.close();
  }

  #post(
    id: string,
    callId: string | undefined,
    method: string,
    params: JsonObject,
    options: SendOptions,
  ): Promise<void> {
    const send = () => this.#inner.send({ jsonrpc: '2.0', id, method, params }, options);
    return this.#wire.answersOnPost ? this.streams.post(id, callId, send) : send();
  }

  /** Before the handshake is done, whoever waits for it must hear that it will not be. */
  #onlyStreamEnded(reason: Reason): void {
    if (this.#isOpen) this.#attempt.emit({ kind: 'session-gone', reason });
    else void this.#inner.close();
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

/** A response is handed on when the events that are recorded already are known, or what it replays would be new. */
function answerAfter(recalled: Promise<void>, send: Fetch): Fetch {
  return async (...request) => (await Promise.all([send(...request), recalled]))[0];
}
