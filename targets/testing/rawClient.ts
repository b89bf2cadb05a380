/** An MCP client made of fetch alone, so that a test sees what is on the wire and nothing that an SDK makes of it. */
import { RawStream } from './rawStream.ts';

export interface RawOptions {
  readonly version?: string;
  readonly capabilities?: object;
  readonly headers?: Record<string, string>;
}

export interface CallOptions {
  readonly id?: string | number;
  /** `null`: none. */
  readonly progressToken?: string | null;
}

const DEFAULT_VERSION = '2025-11-25';

export class RawClient {
  readonly url: string;
  readonly version: string;
  readonly extraHeaders: Record<string, string>;
  sessionId: string | undefined;
  #nextId = 0;

  constructor(url: string, { version = DEFAULT_VERSION, headers = {} }: RawOptions = {}) {
    this.url = url;
    this.version = version;
    this.extraHeaders = headers;
  }

  /** A client whose session is initialized. */
  static async connect(url: string, options: RawOptions = {}): Promise<RawClient> {
    const client = new RawClient(url, options);
    const response = await client.initialize(options.capabilities);
    if (!response.ok) throw new Error(`initialize: ${response.status} ${await response.text()}`);
    await response.text();
    client.sessionId = response.headers.get('mcp-session-id') ?? undefined;
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  get headers(): Record<string, string> {
    return {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': this.version,
      ...(this.sessionId !== undefined && { 'mcp-session-id': this.sessionId }),
      ...this.extraHeaders,
    };
  }

  initialize(capabilities: object = {}): Promise<Response> {
    const clientInfo = { name: 'raw', version: '1.0.0' };
    const params = { protocolVersion: this.version, capabilities, clientInfo };
    return this.post({ jsonrpc: '2.0', id: `init-${(this.#nextId += 1)}`, method: 'initialize', params });
  }

  post(body: object, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: this.headers,
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  }

  /** The answer to one request, wherever in the body it is. */
  async request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = `request-${(this.#nextId += 1)}`;
    const stream = await this.open({ jsonrpc: '2.0', id, method, params });
    const frames = await stream.readAll();
    const answer = frames.find(({ message }) => message?.['id'] === id)?.message;
    if (!answer) throw new Error(`No answer to ${method}`);
    return answer;
  }

  call(tool: string, args: object, { id, progressToken = 'token' }: CallOptions = {}): Promise<RawStream> {
    const _meta = progressToken === null ? {} : { progressToken };
    const params = { name: tool, arguments: args, _meta };
    return this.open({
      jsonrpc: '2.0',
      id: id ?? `call-${(this.#nextId += 1)}`,
      method: 'tools/call',
      params,
    });
  }

  async open(body: object): Promise<RawStream> {
    const abort = new AbortController();
    return new RawStream(await this.post(body, abort.signal), abort);
  }

  async get(lastEventId?: string): Promise<RawStream> {
    const abort = new AbortController();
    const headers = {
      ...this.headers,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return new RawStream(await fetch(this.url, { headers, signal: abort.signal }), abort);
  }

  delete(): Promise<Response> {
    return fetch(this.url, { method: 'DELETE', headers: this.headers });
  }
}
