/**
 * Streamable HTTP: each message is a POST, and its response is JSON or a stream; a GET opens or resumes a stream. It says
 * nothing of what was lost and reconnects nothing: what happens on the wire is recorded, and `Streams` decides.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, objectField, stringField } from '../../base/json.ts';
import type { Frame } from '../../wire/exchange.ts';
import type { WireRequest, WireResponse } from '../../wire/recordingFetch.ts';
import { PROTOCOL_VERSION_META_KEY } from '../protocol/metaKeys.ts';
import { encodeHeaderValue } from '../protocol/paramHeaders.ts';
import { RequestRefused } from '../protocol/requestRefused.ts';
import { readMessage, requestHeaders } from './wireMessages.ts';
import type { SendOptions, WireTransport, WireTransportOptions } from './wires.ts';

/** Which parameter of a request stands in `Mcp-Name`, in MCP 2026-07-28. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

export class StreamableHttpTransport implements WireTransport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: WireTransportOptions;
  readonly #closing = new AbortController();
  #sessionId: string | undefined;
  #protocolVersion: string | undefined;

  constructor(options: WireTransportOptions) {
    this.#options = options;
    this.#sessionId = options.session?.sessionId;
    this.#protocolVersion = options.session?.protocolVersion;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get protocolVersion(): string | undefined {
    return this.#protocolVersion;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    const isHandshake = 'method' in message && message.method === 'initialize';
    const signals = [this.#closing.signal, ...(options.requestSignal ? [options.requestSignal] : [])];
    const signal = AbortSignal.any(signals);
    const response = await this.#request({
      method: 'POST',
      own: {
        ...envelopeHeaders(message),
        ...options.headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(message),
      signal,
      isNew: isHandshake,
    });
    if (!response.ok) return this.#refused(message, response);
    if (isHandshake) this.#sessionId = response.headers.get('mcp-session-id') || undefined;
    const ended = response.read?.((frame) => this.#receive(frame));
    // With 202, some servers respond on the standalone stream.
    if (!('method' in message && 'id' in message) || response.status === 202) return;
    requireMessages(response);
    void Promise.resolve(ended).then(() => {
      if (!signal.aborted) options.onRequestStreamEnd?.();
    });
  }

  /** Opens the stream with this key, from where it stood. */
  async openStream(stream: string): Promise<void> {
    const own = { accept: 'text/event-stream' };
    const response = await this.#request({ method: 'GET', own, stream, signal: this.#closing.signal });
    void response.read?.((frame) => this.#receive(frame));
  }

  /** A server may not allow it: then it ends sessions by itself. */
  async terminateSession(): Promise<void> {
    if (this.#sessionId === undefined) return;
    const response = await this.#request({ method: 'DELETE', signal: this.#closing.signal });
    if (!response.ok && response.status !== 405) throw new RequestRefused(response);
    this.#sessionId = undefined;
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.onclose?.();
    return Promise.resolve();
  }

  async #request({
    own = {},
    isNew = false,
    ...request
  }: Omit<WireRequest, 'headers'> & {
    readonly own?: Readonly<Record<string, string>>;
    /** It belongs to no session yet. */
    readonly isNew?: boolean;
  }): Promise<WireResponse> {
    const headers = await requestHeaders(this.#options, {
      ...(this.#sessionId !== undefined && !isNew && { 'mcp-session-id': this.#sessionId }),
      ...(this.#protocolVersion !== undefined && { 'mcp-protocol-version': this.#protocolVersion }),
      ...own,
    });
    return this.#options.fetch(this.#options.url, { ...request, headers });
  }

  #receive({ data }: Frame): void {
    const message = readMessage(data);
    if (message) this.onmessage?.(message);
  }

  /** MCP 2026-07-28 gives some errors a status as well: whoever waits gets the error. */
  #refused(message: JSONRPCMessage, response: WireResponse): void {
    const error =
      response.status === 400 &&
      'id' in message &&
      versionIn(message) !== undefined &&
      readMessage(response.text);
    if (!error || !('error' in error) || error.id !== message.id) throw new RequestRefused(response);
    this.onmessage?.(error);
  }
}

/** A server of 2026-07-28 reads the headers and compares them with the message, so they are taken from it. */
function envelopeHeaders(message: JSONRPCMessage): Readonly<Record<string, string>> {
  const version = versionIn(message);
  if (version === undefined || !('method' in message && 'id' in message)) return {};
  const { method, params } = message;
  const name = isObject(params) ? stringField(params, NAMED_BY[method] ?? '') : undefined;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': encodeHeaderValue(name) }),
  };
}

/** The version that its envelope names: only messages of 2026-07-28 have one. */
function versionIn(message: JSONRPCMessage): string | undefined {
  if (!('params' in message) || !isObject(message.params)) return undefined;
  const meta = objectField(message.params, '_meta');
  return meta && stringField(meta, PROTOCOL_VERSION_META_KEY);
}

/** The response to a request is a stream or JSON. */
function requireMessages({ headers, read }: WireResponse): void {
  const type = headers.get('content-type');
  if (read || type?.includes('application/json')) return;
  throw new Error(`Unexpected content type: ${type}`);
}
