/**
 * The page as a peer in JSON-RPC: requests whose responses only this page waits for, and responses to what a server may
 * request of any client. Calls don't go through it, because their responses may come to another page.
 */
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import type { RawRequests } from '../protocol/rawRequests.ts';
import type { WireTransport } from './wires.ts';

export interface PeerOptions {
  readonly transport: Pick<WireTransport, 'send' | 'close' | 'onmessage' | 'onclose'>;
  readonly driver: () => Pick<ProtocolDriver, 'params' | 'closeCancels'>;
  readonly newId: () => string;
  /** Takes responses to requests that were sent past this one. */
  readonly raw: Pick<RawRequests, 'take'>;
  /** What the server is told of when it asks for the roots. Without it, this page has none. */
  readonly roots?: () => readonly object[];
}

export interface PeerRequestOptions {
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

const REQUEST_TIMEOUT_MS = 60_000;
/** JSON-RPC 2.0. */
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };

export class Peer {
  readonly #options: PeerOptions;
  readonly #waiting = new Map<RequestId, Waiting>();
  #isClosed = false;

  constructor(options: PeerOptions) {
    this.#options = options;
    options.transport.onmessage = (message: JSONRPCMessage) => this.#receive(message);
    options.transport.onclose = () => this.#closed();
  }

  /** Does this page wait for a response with this ID? */
  awaits(id: RequestId): boolean {
    return this.#waiting.has(id);
  }

  /**
   * Resolves with the result. A response that comes on another connection, because its stream was resumed, is a
   * response too: the end of the request's own stream says nothing.
   *
   * @throws RpcError with what the server rejects it with
   */
  async request(
    method: string,
    params?: JsonObject,
    { timeoutMs = REQUEST_TIMEOUT_MS }: PeerRequestOptions = {},
  ): Promise<JsonObject> {
    if (this.#isClosed) throw new Error('Not connected');
    const { transport, driver, newId } = this.#options;
    const { closeCancels } = driver();
    const id = newId();
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        timer = setTimeout(() => {
          if (closeCancels) abort.abort();
          else if (method !== 'initialize') this.#tellTimeout(id);
          reject(new RequestTimeout());
        }, timeoutMs);
        transport
          .send(
            { jsonrpc: '2.0', id, method, ...this.#paramsOf(params) },
            closeCancels ? { requestSignal: abort.signal } : {},
          )
          .catch(reject);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  async ping(options?: PeerRequestOptions): Promise<void> {
    if (this.#options.driver().closeCancels) throw new Error('MCP 2026-07-28 has no ping.');
    await this.request('ping', undefined, options);
  }

  async notify(method: string): Promise<void> {
    await this.#options.transport.send({ jsonrpc: '2.0', method, ...this.#paramsOf() });
  }

  close(): Promise<void> {
    return this.#options.transport.close();
  }

  #paramsOf(params?: JsonObject): { readonly params?: JsonObject } {
    const sent = this.#options.driver().params(params ?? {});
    return params || Object.keys(sent).length > 0 ? { params: sent } : {};
  }

  #tellTimeout(requestId: RequestId): void {
    const params = { requestId, reason: 'Request timed out' };
    this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#options.raw.take(message)) return;
    if ('method' in message) {
      if ('id' in message) this.#respond(message);
      return;
    }
    const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
    if ('result' in message) waiting?.resolve(message.result);
    else waiting?.reject(new RpcError(message.error));
  }

  /** A server of 2026-07-28 asks in its responses alone. */
  #respond({ id, method }: JSONRPCRequest): void {
    if (this.#options.driver().closeCancels) return;
    const result = this.#resultOf(method);
    this.#send({ jsonrpc: '2.0', id, ...(result ? { result } : { error: METHOD_NOT_FOUND }) });
  }

  #resultOf(method: string): JsonObject | undefined {
    if (method === 'ping') return {};
    return method === 'roots/list' ? this.#options.roots && { roots: this.#options.roots() } : undefined;
  }

  /** A response that can't be sent is the server's to miss: what failed is in the log. */
  #send(message: JSONRPCMessage): void {
    this.#options.transport.send(message).catch(() => undefined);
  }

  #closed(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new Error('Connection closed'));
  }
}

/** What a server rejected a request with. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout';
  readonly code = 'REQUEST_TIMEOUT';

  constructor() {
    super('Request timed out');
  }
}
