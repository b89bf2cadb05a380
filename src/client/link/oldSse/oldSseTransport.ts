/**
 * The old HTTP+SSE transport of 2024-11-05 in the shape of the one that came after it. One GET stream carries
 * everything that the server says; its first event names the address that takes POSTs. The SDK's own would bring a second
 * parser of events, and a reconnection of its own.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { errorMessage } from '../../../base/format.ts';
import { isObject } from '../../../base/json.ts';
import { EventParser } from '../../../wire/eventParser.ts';
import type { Frame } from '../../../wire/exchange.ts';
import { MAX_MESSAGE_BYTES } from '../../../wire/readBody.ts';
import { readEvents } from '../../../wire/readEvents.ts';
import type { SendOptions, WireTransport, WireTransportOptions } from '../wires.ts';

/** A stream that does not begin with its endpoint is not of this transport. */
const ENDPOINT_WITHIN_MS = 10_000;
const ENDPOINT = 'endpoint';
/** A redirect could take the headers to another origin. */
const redirect = 'manual';

export class OldSseTransport implements WireTransport {
  readonly sessionId = undefined;
  protocolVersion: string | undefined;
  onclose?: () => void;
  onerror?: (error: Error) => void;
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

  async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    { onRequestStreamEnd }: SendOptions = {},
  ): Promise<void> {
    if (onRequestStreamEnd) this.#ends.add(onRequestStreamEnd);
    for (const one of Array.isArray(message) ? message : [message]) await this.#post(one);
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
    const headers = await this.#headers({ accept: 'text/event-stream' });
    const response = await fetch(url, { headers, redirect, signal: this.#abort.signal });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !response.body || !type.includes('text/event-stream'))
      throw new Error(`no stream: HTTP ${response.status}`);
    const parser = new EventParser(new Set([ENDPOINT]));
    await readEvents(response.body.getReader(), {
      maxEventBytes: MAX_MESSAGE_BYTES,
      onEvents: (bytes) => {
        for (const frame of parser.feed(bytes).frames) this.#receive(frame, onEndpoint);
        return Promise.resolve(!this.#isClosed);
      },
    });
    await this.close();
  }

  #receive({ event, data }: Frame, onEndpoint: () => void): void {
    if (event !== ENDPOINT) {
      const message: unknown = JSON.parse(data);
      if (isMessage(message)) this.onmessage?.(message);
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

  async #post(message: JSONRPCMessage): Promise<void> {
    if (!this.#endpoint || this.#isClosed) throw new Error('Not connected');
    const response = await this.#options.fetch(this.#endpoint, {
      method: 'POST',
      headers: await this.#headers({ 'content-type': 'application/json' }),
      body: JSON.stringify(message),
      redirect,
      signal: this.#abort.signal,
    });
    await response.text();
    if (!response.ok) throw new PostRefused(response.status);
  }

  async #headers(own: Readonly<Record<string, string>>): Promise<Headers> {
    const headers = new Headers({ ...this.#options.headers });
    const token = await this.#options.authProvider.token();
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    return headers;
  }
}

/** What was recorded is JSON-RPC already: this only tells the compiler. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return isObject(value) && value['jsonrpc'] === '2.0';
}

class NotOldSse extends Error {
  override readonly name = 'NotOldSse';
}

/** The status says that the request was sent: what it means is decided by who has recorded it. */
class PostRefused extends Error {
  override readonly name = 'PostRefused';
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}
