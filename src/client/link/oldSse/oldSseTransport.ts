/**
 * The old HTTP+SSE transport of 2024-11-05 in the shape of the one that came after it. One GET stream carries
 * everything that the server says; its first event names the address that takes POSTs.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { errorMessage } from '../../../base/format.ts';
import type { Frame } from '../../../wire/exchange.ts';
import { RequestRefused } from '../../protocol/requestRefused.ts';
import { readMessage, requestHeaders } from '../wireMessages.ts';
import type { SendOptions, WireTransport, WireTransportOptions } from '../wires.ts';

/** A stream that does not begin with its endpoint is not of this transport. */
const ENDPOINT_WITHIN_MS = 10_000;
const ENDPOINT = 'endpoint';

export class OldSseTransport implements WireTransport {
  readonly sessionId = undefined;
  protocolVersion: string | undefined;
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: WireTransportOptions;
  readonly #abort = new AbortController();
  /** Who waits for the end of a stream of its own has this one. */
  readonly #ends = new Set<() => void>();
  #endpoint: URL | undefined;
  #isClosed = false;

  constructor(options: WireTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('the stream sent no endpoint event')), ENDPOINT_WITHIN_MS);
        this.#read(resolve).then(() => reject(new Error('the stream closed without an endpoint')), reject);
      });
    } catch (error) {
      await this.close();
      throw new NotOldSse(errorMessage(error));
    } finally {
      clearTimeout(timer);
    }
  }

  async send(message: JSONRPCMessage, { onRequestStreamEnd }: SendOptions = {}): Promise<void> {
    if (onRequestStreamEnd) this.#ends.add(onRequestStreamEnd);
    if (!this.#endpoint || this.#isClosed) throw new Error('Not connected');
    const response = await this.#options.fetch(this.#endpoint, {
      method: 'POST',
      headers: await requestHeaders(this.#options, { 'content-type': 'application/json' }),
      body: JSON.stringify(message),
      signal: this.#abort.signal,
    });
    if (!response.ok) throw new RequestRefused(response);
  }

  /** Not told to the server: this transport knows no such header, and its servers do not allow it in CORS. */
  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  openStream(): Promise<void> {
    return Promise.reject(new Error('HTTP+SSE can’t resume streams.'));
  }

  /** The session ends with its stream, whoever closes it. */
  terminateSession(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#abort.abort();
    for (const end of this.#ends) end();
    this.#ends.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Resolves at the end of the stream. @param onEndpoint from then on messages can be sent */
  async #read(onEndpoint: () => void): Promise<void> {
    const { url, fetch } = this.#options;
    const response = await fetch(url, {
      method: 'GET',
      headers: await requestHeaders(this.#options, { accept: 'text/event-stream' }),
      signal: this.#abort.signal,
    });
    const type = response.headers.get('content-type') ?? '';
    if (!response.read || !type.includes('text/event-stream'))
      throw new Error(`no stream: HTTP ${response.status}`);
    let misled: Error | undefined;
    await response.read((frame) => {
      try {
        this.#receive(frame, onEndpoint);
      } catch (error) {
        misled = new Error(errorMessage(error));
        this.#abort.abort();
      }
    });
    await this.close();
    if (misled) throw misled;
  }

  #receive({ event, data }: Frame, onEndpoint: () => void): void {
    if (event !== ENDPOINT) {
      const message = readMessage(data);
      if (message) this.onmessage?.(message);
      return;
    }
    const { url } = this.#options;
    const endpoint = new URL(data, url);
    // Whoever answers the GET must not send the messages, and what goes with them, elsewhere.
    if (endpoint.origin !== new URL(url).origin)
      throw new Error(`the endpoint is of another origin: ${endpoint.origin}`);
    this.#endpoint = endpoint;
    onEndpoint();
  }
}

class NotOldSse extends Error {
  override readonly name = 'NotOldSse';
}
