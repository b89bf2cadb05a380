/** The transport that a session's server is connected to: counts what passes, and can change its HTTP side. */
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isRecord, isRequest, isResponse } from './messages.ts';
import type { TargetOptions } from './options.ts';
import { countSent, countStarted, type SessionStats } from './stats.ts';

export type HttpTransport = WebStandardStreamableHTTPServerTransport;

export interface SessionTransportOptions {
  readonly sessionId: string | undefined;
  readonly stats: SessionStats;
  readonly relate: TargetOptions['relate'];
  readonly afterSend: (message: JSONRPCMessage, requestId: RequestId | undefined) => void;
  /** A request has its answer, or was cancelled and gets none. `isLost`: no stream could take the answer. */
  readonly onSettled: (id: RequestId, answer?: JSONRPCMessage, isLost?: boolean) => void;
  readonly onNotification: (method: string) => void;
}

export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly sessionId: string | undefined;
  readonly #options: SessionTransportOptions;
  /** A request is answered through the transport that it came in by. */
  readonly #running = new Map<RequestId, HttpTransport>();
  readonly #attached = new Set<HttpTransport>();
  #current: HttpTransport;
  #closed = false;

  constructor(first: HttpTransport, options: SessionTransportOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#current = first;
    this.attach(first);
  }

  get current(): HttpTransport {
    return this.#current;
  }

  /** Requests that were received and not yet answered or cancelled. */
  get runningCount(): number {
    return this.#running.size;
  }

  /** Makes `http` the way in. Requests that came in by an earlier one are still answered there. */
  attach(http: HttpTransport): void {
    this.#attached.add(http);
    this.#current = http;
    http.onmessage = (message, extra) => this.#receive(http, message, extra);
    http.onerror = (error) => this.onerror?.(error);
    http.onclose = () => void this.close();
  }

  async start(): Promise<void> {
    await this.#current.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const settles = isResponse(message);
    const asked = settles ? message.id : options?.relatedRequestId;
    const requestId = settles || !this.#options.relate ? asked : this.#options.relate(message, asked);
    countSent(this.#options.stats, requestId, settles);
    const http = (requestId !== undefined && this.#running.get(requestId)) || this.#current;
    if (settles) this.#running.delete(message.id);
    try {
      await http.send(message, requestId === undefined ? undefined : { relatedRequestId: requestId });
    } catch (error) {
      if (settles) this.#options.onSettled(message.id, message, true);
      throw error;
    }
    if (settles) this.#options.onSettled(message.id, message);
    this.#options.afterSend(message, requestId);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const http of this.#attached) await http.close();
    this.#running.clear();
    this.onclose?.();
  }

  #receive(http: HttpTransport, message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isRequest(message)) {
      this.#running.set(message.id, http);
      countStarted(this.#options.stats, message.id, message.method, calledTool(message));
    }
    this.onmessage?.(message, extra);
    if ('method' in message && !('id' in message)) this.#options.onNotification(message.method);
    if ('method' in message && message.method === 'notifications/cancelled') this.#cancel(message.params);
  }

  /** A cancelled request gets no response (2025-11-25, "Cancellation"), so nothing else would close its stream. */
  #cancel(params: unknown): void {
    const requestId = isRecord(params) ? params['requestId'] : undefined;
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    this.#running.get(requestId)?.closeSSEStream(requestId);
    if (this.#running.delete(requestId)) this.#options.onSettled(requestId);
  }
}

export function calledTool(message: JSONRPCMessage): string | undefined {
  if (!('method' in message) || message.method !== 'tools/call') return undefined;
  const name = message.params?.['name'];
  return typeof name === 'string' ? name : undefined;
}
