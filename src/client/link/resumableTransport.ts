/**
 * Makes a new `Client` in a new page continue an old session: the handshake is answered from storage, and every
 * request gets an id that is unique across page loads.
 */
import type {
  InitializeResult,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import {
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCRequest,
} from '@modelcontextprotocol/client';
import type { WireTransport } from './wires.ts';

export interface ResumableTransportOptions {
  readonly inner: WireTransport;
  /** The stored answer to `initialize`, when an old session is taken up. */
  readonly handshake?: InitializeResult;
  readonly newId: () => string;
  /** Takes answers to requests that the Client did not make. */
  readonly take: (message: JSONRPCMessage) => boolean;
}

export class ResumableTransport implements Transport {
  /**
   * Never given to the Client, even when there is a session: a Client that sees one skips `initialize`, and is then
   * without capabilities, server info and protocol version.
   */
  readonly sessionId = undefined;
  /** On 2026-07-28 the Client then ends a request by ending its stream, which is the cancellation there. */
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #inner: WireTransport;
  readonly #handshake: InitializeResult | undefined;
  readonly #newId: () => string;
  readonly #take: (message: JSONRPCMessage) => boolean;
  /** Wire id → the Client's own id, which counts from 0 in every page. */
  readonly #ids = new Map<RequestId, RequestId>();

  constructor({ inner, handshake, newId, take }: ResumableTransportOptions) {
    this.#inner = inner;
    this.#handshake = handshake;
    this.#newId = newId;
    this.#take = take;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message: JSONRPCMessage) => {
      this.#receive(message);
    };
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#handshake && isInitializeRequest(message) && isJSONRPCRequest(message)) {
      this.#answerHandshake(message, this.#handshake);
      return;
    }
    if (this.#handshake && isInitializedNotification(message)) return;
    await this.#inner.send(this.#toWire(message), toInnerOptions(options));
  }

  /** Does this wire id belong to a request of this page's Client? All other answers are none of its business. */
  awaits(id: RequestId): boolean {
    return this.#ids.has(id);
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #answerHandshake(request: JSONRPCRequest, result: InitializeResult): void {
    // The Client registers its handler after `send` returns.
    queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id: request.id, result }));
  }

  #toWire(message: JSONRPCMessage): JSONRPCMessage {
    if (isJSONRPCRequest(message)) {
      const wireId = this.#newId();
      this.#ids.set(wireId, message.id);
      return { ...message, id: wireId };
    }
    if ('method' in message && message.method === 'notifications/cancelled') {
      const requestId = message.params?.['requestId'];
      const wireId = [...this.#ids].find(([, clientId]) => clientId === requestId)?.[0];
      return { ...message, params: { ...message.params, requestId: wireId ?? requestId } };
    }
    return message;
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#take(message)) return;
    if ('method' in message) {
      this.onmessage?.(message);
      return;
    }
    if (message.id === undefined) return;
    const clientId = this.#ids.get(message.id);
    if (clientId === undefined) return;
    this.#ids.delete(message.id);
    this.onmessage?.({ ...message, id: clientId });
  }
}

/** Positions are kept by the recording fetch; a resumption token of the Client's would be a second truth. */
function toInnerOptions(options: TransportSendOptions = {}): {
  requestSignal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
} {
  const { requestSignal, headers } = options;
  return { ...(requestSignal && { requestSignal }), ...(headers && { headers }) };
}
