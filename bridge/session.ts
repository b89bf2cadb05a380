/** One session toward a page: its server, its events, and the streams that read them. */
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { BridgeSessionStatus } from '../src/base/bridgeContract.ts';
import { PRIMING_SINCE, rpcError, sessionNotFound, STANDALONE_STREAM_ID } from '../targets/core/messages.ts';
import { RequestLedger } from '../targets/core/requestLedger.ts';
import type { RequestRun } from '../targets/core/requestRun.ts';
import { sseHeaders } from '../targets/core/sse.ts';
import { isRequestId, isResponseMessage, OpenCalls } from './calls.ts';
import { Watchers, type BridgeEventStore } from './eventStore.ts';
import { cancelledBy, initializeIn, readIncoming, readRejection, type Incoming } from './incoming.ts';
import type { Notify } from './notices.ts';
import { StreamReaders } from './streamReaders.ts';
import { UnreadEnds } from './unreadEnds.ts';
import type { JsonRecord, OpenUpstream, Outgoing, Upstream, UpstreamFailure } from './upstream.ts';

export interface SessionOptions {
  readonly id: string;
  readonly store: BridgeEventStore;
  readonly limits: { readonly maxEvents: number; readonly maxBytes: number };
  readonly open: OpenUpstream;
  readonly notify: Notify;
  readonly now: () => number;
  readonly onClosed: () => void;
}

/** `failed`: the server is gone, and its last events are kept for a page that resumes. */
type State = { readonly name: 'open' } | { readonly name: 'failed' } | { readonly name: 'closed' };

const STATUS = 'status';
const ONE_EVENT = { events: 1, bytes: 1 };

export class BridgeSession {
  readonly id: string;
  readonly #o: SessionOptions;
  readonly #upstream: Upstream;
  readonly #calls = new OpenCalls();
  readonly #requests = new RequestLedger();
  readonly #readers: StreamReaders;
  readonly #unread = new UnreadEnds();
  readonly #watchers = new Watchers();
  #state: State = { name: 'open' };
  #initializeId: RequestId | undefined;
  /** What the client can read is what it has asked for, even if the server only has an earlier version. */
  #clientVersion = '';
  #lastUsed: number;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.#o = options;
    this.#lastUsed = options.now();
    this.#readers = new StreamReaders({
      store: options.store,
      onReplayed: (events) => options.notify({ name: 'resumed', events }),
      onEnd: (streamId, how) => {
        this.#lastUsed = options.now();
        if (how === 'last') this.#unread.delete(streamId);
        const hasNoPage = how === 'left' && this.#readers.count === 0;
        if (hasNoPage && this.isOpen) options.notify({ name: 'no-page' });
      },
    });
    this.#upstream = options.open({
      onMessage: (text, message, related) => this.#deliver(text, message, related),
      onEnd: (failure) => this.#fail(failure),
      onSkipped: (line) => {
        if (line !== undefined) this.#o.notify({ name: 'skipped-output', line });
        this.#watchers.wake(STATUS);
      },
      onStatus: () => this.#watchers.wake(STATUS),
    });
  }

  get isOpen(): boolean {
    return this.#state.name === 'open';
  }

  /** How long no page was connected. */
  get idleMs(): number {
    return this.#readers.count > 0 ? 0 : this.#o.now() - this.#lastUsed;
  }

  async post(headers: Headers, body: unknown, text: string): Promise<Response> {
    this.#lastUsed = this.#o.now();
    if (this.#state.name === 'closed') return sessionNotFound();
    const incoming = readIncoming(headers, body, text);
    const { ids, digest } = incoming;
    if (ids.length === 0) return this.isOpen ? this.#pass(incoming.outgoing) : this.#over();
    const receipt = this.#requests.receive(ids, digest, 'stored');
    // A server that is gone gets nothing new, but a request that it had gets its stored events, the error included.
    if (!this.isOpen && receipt.name !== 'repeated') {
      if (receipt.name === 'new') this.#requests.forget(ids);
      return this.#over();
    }
    if (receipt.name === 'conflict') {
      return badRequest(
        `request ID ${JSON.stringify(ids[0])} was already used in this session for another request`,
      );
    }
    const { run } = receipt;
    const refusal = receipt.name === 'new' ? await this.#begin(incoming, run) : undefined;
    if (refusal) return refusal;
    await run.opened;
    return run.place
      ? this.#follow(run.place.streamId, run.place.start)
      : badRequest(`request ID ${JSON.stringify(ids[0])} has no stored response`);
  }

  async get(headers: Headers): Promise<Response> {
    if (!headers.get('accept')?.includes('text/event-stream')) {
      return rpcError(406, -32000, 'Not Acceptable: the client must accept text/event-stream');
    }
    if (this.#state.name === 'closed') return sessionNotFound();
    const { store } = this.#o;
    const lastEventId = headers.get('last-event-id');
    if (!this.isOpen) this.#unread.begin();
    const isOver = !this.isOpen && this.#unread.areRead;
    if (lastEventId === null) {
      if (isOver) return sessionNotFound();
      const start = await store.mark(STANDALONE_STREAM_ID);
      return this.#follow(STANDALONE_STREAM_ID, start);
    }
    const streamId = await store.streamOf(lastEventId);
    // Never 404 for an event: that would mean that the session is gone.
    if (streamId === undefined)
      return rpcError(400, -32000, 'Bad Request: unknown event ID, or later events were removed');
    // Without this a page would ask for the standalone stream again and again, and never start a new session.
    const isRead = isOver && streamId === STANDALONE_STREAM_ID;
    if (isRead && (await store.readAfter(lastEventId, ONE_EVENT))?.events.length === 0)
      return sessionNotFound();
    return this.#follow(streamId, lastEventId, true);
  }

  /** Ends the session with its server. `now`: the server gets no time for it. */
  async close(why: string, now = false): Promise<void> {
    if (this.#state.name !== 'closed') {
      this.#state = { name: 'closed' };
      this.#o.notify({ name: 'ended', why });
      this.#readers.stopAll();
      this.#requests.close();
      this.#unread.giveUp();
      this.#watchers.wake(STATUS);
      this.#o.onClosed();
    }
    await this.#upstream.close(now);
    await this.#o.store.clear().catch(this.#storeFailed);
  }

  /** Asking for it counts as a page that is connected. */
  status(after = 0): BridgeSessionStatus {
    this.#lastUsed = this.#o.now();
    const { process, stderr, skipped } = this.#upstream.status();
    return {
      id: this.id,
      ...(process && { process }),
      kept: { ...this.#o.store.size(), ...this.#o.limits },
      stderr: stderr.filter(({ number }) => number > after),
      skipped,
    };
  }

  /** Calls the listener when the status changes. Returns its undo. */
  watchStatus(listener: () => void): () => void {
    return this.#watchers.add(STATUS, listener);
  }

  /** Returns a response if the request wasn't accepted; else the run has its place. */
  async #begin({ ids, requests, outgoing }: Incoming, run: RequestRun): Promise<Response | undefined> {
    const initialize = initializeIn(requests);
    if (initialize) {
      this.#initializeId = initialize.id;
      this.#clientVersion = initialize.version;
    }
    const streamId = crypto.randomUUID();
    const start = await this.#o.store.mark(streamId);
    this.#calls.add(requests, streamId);
    // The server may have ended meanwhile, and what is added now would stay open for ever.
    const refusal = this.isOpen ? await this.#upstream.send(outgoing) : sessionNotFound();
    run.open(refusal ? undefined : { streamId, start });
    if (!refusal) return undefined;
    for (const id of ids) this.#calls.settle(id);
    this.#requests.forget(ids);
    this.#unread.delete(streamId);
    return this.isOpen ? refusal : this.#over();
  }

  /** The server is gone, and gets nothing new. */
  async #over(): Promise<Response> {
    await this.#unread.untilRead();
    return sessionNotFound();
  }

  async #pass(outgoing: Outgoing): Promise<Response> {
    const refusal = await this.#upstream.send(outgoing);
    if (refusal) return this.isOpen ? refusal : this.#over();
    for (const message of outgoing.messages) this.#endCancelled(message);
    return new Response(null, { status: 202, headers: { 'mcp-session-id': this.id } });
  }

  /** A cancelled request gets no response (2025-11-25, "Cancellation"), so nothing else would end its stream. */
  #endCancelled(message: JsonRecord): void {
    const id = cancelledBy(message);
    if (id === undefined) return;
    const destination = this.#calls.settle(id);
    this.#requests.settle(id);
    if (destination) this.#append(destination.streamId, '', destination.isLast);
  }

  #deliver(text: string, message: JsonRecord, related: RequestId | undefined): void {
    if (!this.isOpen) return;
    if (!isResponseMessage(message)) {
      return this.#append(this.#calls.streamOf(message, related) ?? STANDALONE_STREAM_ID, text, false);
    }
    const { id } = message;
    const destination = isRequestId(id) ? this.#calls.settle(id) : undefined;
    // A response to a request that was cancelled, or that was never sent.
    if (!destination || !isRequestId(id)) return;
    this.#requests.settle(id);
    if (destination.isLast) this.#unread.add(destination.streamId);
    this.#append(destination.streamId, text, destination.isLast);
    if (id !== this.#initializeId || !('error' in message)) return;
    this.#o.notify({ name: 'rejected', ...readRejection(message['error']) });
    // There is no session without `initialize`. Its process would wait for one until the time of --idle.
    this.#state = { name: 'failed' };
    void this.#upstream.close();
  }

  #fail({ message, data }: UpstreamFailure): void {
    if (!this.isOpen) return;
    const { ids } = this.#calls;
    for (const id of ids) {
      const destination = this.#calls.settle(id);
      this.#requests.settle(id);
      if (!destination) continue;
      const text = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message, data } });
      this.#unread.add(destination.streamId);
      this.#append(destination.streamId, text, destination.isLast);
    }
    this.#state = { name: 'failed' };
    this.#lastUsed = this.#o.now();
    const { process } = this.#upstream.status();
    const stderr = Array.isArray(data['stderr'])
      ? data['stderr'].filter((line) => typeof line === 'string')
      : [];
    this.#o.notify({ name: 'failed', pid: process?.pid, message, stderr, failedCalls: ids.length });
    this.#readers.stop(STANDALONE_STREAM_ID, 'drain');
  }

  #append(streamId: string, text: string, isLast: boolean): void {
    this.#o.store.append(streamId, text, isLast)?.catch(this.#storeFailed);
  }

  /** A function of its own, not one for each event. */
  readonly #storeFailed = (error: unknown): void => {
    this.#o.notify({ name: 'store-failed', why: String(error) });
  };

  #follow(streamId: string, after: string, isResumed = false): Response {
    const isPrimed = this.#clientVersion >= PRIMING_SINCE;
    const body = this.#readers.open({ streamId, after, isPrimed, isResumed });
    // Nothing else will come on the standalone stream of a server that is gone.
    if (!this.isOpen && streamId === STANDALONE_STREAM_ID) this.#readers.stop(streamId, 'drain');
    return new Response(body, { headers: sseHeaders(this.id) });
  }
}

const badRequest = (why: string): Response => rpcError(400, -32600, `Invalid Request: ${why}`);
