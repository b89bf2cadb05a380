/** A transport whose messages are counted on their way. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isRequest, isResponse } from './core/messages.ts';
import { calledTool } from './core/sessionTransport.ts';
import { countSent, countStarted, type SessionStats } from './core/stats.ts';

export class CountedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #inner: Transport;
  readonly #stats: SessionStats;

  constructor(inner: Transport, stats: SessionStats) {
    this.#inner = inner;
    this.#stats = stats;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      if (isRequest(message)) countStarted(stats, message.id, message.method, calledTool(message));
      this.onmessage?.(message, extra);
    };
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const settles = isResponse(message);
    countSent(this.#stats, settles ? message.id : undefined, settles);
    await this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
