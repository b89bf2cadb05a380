/** One session toward a page: its server, its events, and the streams that read them. */
import { createHash } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { BridgeSessionStatus } from '../../src/base/bridgeContract.ts';
import { PRIMING_SINCE, rpcError, sessionNotFound, STANDALONE_STREAM_ID } from '../targets/core/messages.ts';
import { RequestLedger } from '../targets/core/requestLedger.ts';
import type { RequestRun } from '../targets/core/requestRun.ts';
import { sseHeaders } from '../targets/core/sse.ts';
import { isRequestId, isResponseMessage, OpenCalls, requestIdOf } from './calls.ts';
import type { BridgeEventStore } from './eventStore.ts';
import { Watchers } from './eventStore.ts';
import { followStream } from './followStream.ts';
import type { Notify } from './notices.ts';
import {
  isJsonRecord,
  type JsonRecord,
  type OpenUpstream,
  type Outgoing,
  type Upstream,
  type UpstreamFailure,
} from './upstream.ts';

export interface SessionOptions {
  readonly id: string;
  readonly store: BridgeEventStore;
  readonly limits: { readonly maxEvents: number; readonly maxBytes: number };
  readonly open: OpenUpstream;
  readonly notify: Notify;
  readonly now: () => number;
}

/** `failed`: the server is gone, and its last events are kept for a page that resumes. */
type State = { readonly name: 'open' } | { readonly name: 'failed' } | { readonly name: 'closed' };

const STATUS = 'status';

export class BridgeSession {
  readonly id: string;
  readonly #o: SessionOptions;
  readonly #upstream: Upstream;
  readonly #calls = new OpenCalls();
  readonly #requests = new RequestLedger();
  /** The reader of each stream: a new one takes the place of the old, which may be dead without a sign. */
  readonly #readers = new Map<string, AbortController>();
  /** Streams with an error of the bridge that no page has read yet. */
  readonly #unread = new Set<string>();
  readonly #watchers = new Watchers();
  #state: State = { name: 'open' };
  #clientVersion = '';
  #lastUsed: number;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.#o = options;
    this.#lastUsed = options.now();
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
    return this.#readers.size > 0 ? 0 : this.#o.now() - this.#lastUsed;
  }

  async post(headers: Headers, body: unknown, text: string): Promise<Response> {
    this.#lastUsed = this.#o.now();
    if (!this.isOpen) return sessionNotFound();
    const messages = (Array.isArray(body) ? body : [body]).filter(isJsonRecord);
    const outgoing: Outgoing = { messages, texts: textsOf(messages, body, text), headers };
    const requests = messages.filter((message) => requestIdOf(message) !== undefined);
    const ids = requests.flatMap((request) => requestIdOf(request) ?? []);
    if (ids.length === 0) return this.#pass(outgoing);
    const receipt = this.#requests.receive(ids, digestOf(text), 'stored');
    switch (receipt.name) {
      case 'conflict':
        return badRequest(
          `request ID ${JSON.stringify(ids[0])} was already used in this session for another request`,
        );
      case 'repeated': {
        await receipt.run.opened;
        const { place } = receipt.run;
        if (!place) return badRequest(`request ID ${JSON.stringify(ids[0])} has no stored response`);
        return this.#follow(place.streamId, place.start);
      }
      case 'new': {
        const refusal = await this.#begin(ids, requests, outgoing, receipt.run);
        if (!refusal && receipt.run.place)
          return this.#follow(receipt.run.place.streamId, receipt.run.place.start);
        return refusal ?? sessionNotFound();
      }
    }
  }

  async get(headers: Headers): Promise<Response> {
    if (!headers.get('accept')?.includes('text/event-stream')) {
      return rpcError(406, -32000, 'Not Acceptable: the client must accept text/event-stream');
    }
    if (this.#state.name === 'closed') return sessionNotFound();
    const { store } = this.#o;
    const lastEventId = headers.get('last-event-id');
    if (lastEventId === null) {
      if (!this.isOpen) return sessionNotFound();
      const start = await store.append(STANDALONE_STREAM_ID, '', false);
      return this.#follow(STANDALONE_STREAM_ID, start);
    }
    const streamId = await store.streamOf(lastEventId);
    // Never 404 for an event: that would mean that the session is gone.
    if (streamId === undefined)
      return rpcError(400, -32000, 'Bad Request: this event ID is not known, or its successors were removed');
    // Without this a page would ask for the standalone stream again and again, and never start a new session.
    const isOver = !this.isOpen && streamId === STANDALONE_STREAM_ID && this.#unread.size === 0;
    if (isOver && (await store.readAfter(lastEventId, 1))?.length === 0) return sessionNotFound();
    return this.#follow(streamId, lastEventId, true);
  }

  /** Ends the session with its server. `now`: the server gets no time for it. */
  async close(why: string, now = false): Promise<void> {
    if (this.#state.name !== 'closed') {
      this.#state = { name: 'closed' };
      this.#o.notify({ name: 'ended', why });
      for (const reader of this.#readers.values()) reader.abort();
      this.#requests.close();
      this.#watchers.wake(STATUS);
    }
    await this.#upstream.close(now);
    await this.#o.store.clear();
  }

  status(after = 0): BridgeSessionStatus {
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
  async #begin(
    ids: readonly RequestId[],
    requests: readonly JsonRecord[],
    outgoing: Outgoing,
    run: RequestRun,
  ): Promise<Response | undefined> {
    this.#readVersion(requests);
    const streamId = crypto.randomUUID();
    const start = await this.#o.store.append(streamId, '', false);
    this.#calls.add(requests, streamId);
    // The server may have ended meanwhile, and what is added now would stay open for ever.
    const refusal = this.isOpen ? await this.#upstream.send(outgoing) : sessionNotFound();
    run.open(refusal ? undefined : { streamId, start });
    if (!refusal) return undefined;
    for (const id of ids) this.#calls.settle(id);
    this.#requests.forget(ids);
    return refusal;
  }

  async #pass(outgoing: Outgoing): Promise<Response> {
    const refusal = await this.#upstream.send(outgoing);
    if (refusal) return refusal;
    for (const message of outgoing.messages) this.#endCancelled(message);
    return new Response(null, { status: 202, headers: { 'mcp-session-id': this.id } });
  }

  /** A cancelled request gets no response (2025-11-25, "Cancellation"), so nothing else would end its stream. */
  #endCancelled({ method, params }: JsonRecord): void {
    if (method !== 'notifications/cancelled' || !isJsonRecord(params)) return;
    const id = params['requestId'];
    if (!isRequestId(id)) return;
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
    this.#append(destination.streamId, text, destination.isLast);
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
    this.#readers.get(STANDALONE_STREAM_ID)?.abort();
  }

  #append(streamId: string, text: string, isLast: boolean): void {
    this.#o.store.append(streamId, text, isLast).catch((error: unknown) => {
      this.#o.notify({ name: 'store-failed', why: String(error) });
    });
  }

  #follow(streamId: string, after: string, isResumed = false): Response {
    this.#readers.get(streamId)?.abort();
    const reader = new AbortController();
    this.#readers.set(streamId, reader);
    const body = followStream({
      store: this.#o.store,
      streamId,
      after,
      isResumed,
      isPrimed: this.#clientVersion >= PRIMING_SINCE,
      signal: reader.signal,
      ...(isResumed && { onReplayed: (events: number) => this.#o.notify({ name: 'resumed', events }) }),
      onEnd: (how) => {
        this.#lastUsed = this.#o.now();
        if (how === 'last') this.#unread.delete(streamId);
        if (this.#readers.get(streamId) === reader) this.#readers.delete(streamId);
        if (how === 'left' && this.#readers.size === 0 && this.isOpen) this.#o.notify({ name: 'no-page' });
      },
    });
    return new Response(body, { headers: sseHeaders(this.id) });
  }

  /** What the client can read is what it has asked for, even if the server only has an earlier version. */
  #readVersion(requests: readonly JsonRecord[]): void {
    const initialize = requests.find(({ method }) => method === 'initialize');
    const params = isJsonRecord(initialize?.['params']) ? initialize['params'] : {};
    const version = params['protocolVersion'];
    if (typeof version === 'string') this.#clientVersion = version;
  }
}

/** One message passes as it was written, if that is one line. */
function textsOf(messages: readonly JsonRecord[], body: unknown, text: string): readonly string[] {
  if (Array.isArray(body) || /[\r\n]/.test(text)) return messages.map((message) => JSON.stringify(message));
  return [text];
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

const badRequest = (why: string): Response => rpcError(400, -32600, `Invalid Request: ${why}`);
