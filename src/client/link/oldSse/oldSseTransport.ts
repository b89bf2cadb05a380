/**
 * The old HTTP+SSE transport of 2024-11-05 in the shape of the one that came after it. One GET stream carries
 * everything that the server says; its first event names the address that takes POSTs.
 */
import {
  SSEClientTransport,
  type JSONRPCMessage,
  type SSEClientTransportOptions,
} from '@modelcontextprotocol/client';
import { errorMessage } from '../../../base/format.ts';
import type { SendOptions, WireTransport } from '../wires.ts';

/** A stream that does not begin with its endpoint is not of this transport. */
const ENDPOINT_WITHIN_MS = 10_000;

export class OldSseTransport implements WireTransport {
  readonly sessionId = undefined;
  protocolVersion: string | undefined;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #inner: SSEClientTransport;
  /** Who waits for the end of a stream of its own has this one. */
  readonly #ends = new Set<() => void>();

  constructor(url: URL, options: SSEClientTransportOptions) {
    this.#inner = new SSEClientTransport(url, options);
    this.#inner.onclose = () => {
      for (const end of this.#ends) end();
      this.#ends.clear();
      this.onclose?.();
    };
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message: JSONRPCMessage) => this.onmessage?.(message);
  }

  async start(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the stream sent no endpoint event')), ENDPOINT_WITHIN_MS);
    });
    try {
      await Promise.race([this.#inner.start(), silence]);
    } catch (error) {
      // Else the SDK's EventSource would ask again by itself.
      await this.#inner.close();
      throw new NotOldSse(errorMessage(error));
    } finally {
      clearTimeout(timer);
    }
  }

  async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    { onRequestStreamEnd }: SendOptions = {},
  ): Promise<void> {
    if (onRequestStreamEnd) this.#ends.add(onRequestStreamEnd);
    for (const one of Array.isArray(message) ? message : [message]) await this.#inner.send(one);
  }

  /** Not told to the server: this transport knows no such header, and its servers do not allow it in CORS. */
  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  resumeStream(): Promise<void> {
    return Promise.reject(new Error('HTTP+SSE can’t resume streams.'));
  }

  /** The session ends with its stream, whoever closes it. */
  terminateSession(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

class NotOldSse extends Error {
  override readonly name = 'NotOldSse';
}
