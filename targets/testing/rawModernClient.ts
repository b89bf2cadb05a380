/** A client of 2026-07-28 made of fetch alone: envelope and headers as the standard asks, and open to lies. */
import { RawStream, type RawFrame } from './rawStream.ts';

const VERSION = '2026-07-28';
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

export interface ModernOptions {
  readonly capabilities?: object;
  readonly headers?: Record<string, string>;
  /** Laid over `_meta`. */
  readonly meta?: object;
}

type Json = Record<string, unknown>;

export const WITH_TASKS = {
  extensions: { 'io.modelcontextprotocol/tasks': {} },
  elicitation: {},
  sampling: {},
};

export class RawModernClient {
  readonly url: string;
  readonly options: ModernOptions;
  #nextId = 0;

  constructor(url: string, options: ModernOptions = {}) {
    this.url = url;
    this.options = options;
  }

  async open(method: string, params: Json = {}, { meta, headers }: ModernOptions = {}): Promise<RawStream> {
    const abort = new AbortController();
    const source = NAMED_BY[method];
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': this.options.capabilities ?? {},
      ...this.options.meta,
      ...meta,
    };
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        ...(source && { 'mcp-name': String(params[source]) }),
        ...this.options.headers,
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: `request-${(this.#nextId += 1)}`,
        method,
        params: { ...params, _meta },
      }),
      signal: abort.signal,
    });
    return new RawStream(response, abort);
  }

  /** The answer: a result or an error. */
  async ask(method: string, params?: Json, options?: ModernOptions): Promise<Json> {
    const frames = await (await this.open(method, params, options)).readAll();
    return answerIn(frames);
  }

  async request(method: string, params?: Json, options?: ModernOptions): Promise<Json> {
    const { result, error } = await this.ask(method, params, options);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result as Json;
  }

  call(tool: string, args: object = {}, more: Json = {}): Promise<Json> {
    return this.request('tools/call', { name: tool, arguments: args, ...more });
  }

  openCall(tool: string, args: object, meta: object = { progressToken: 'token' }): Promise<RawStream> {
    return this.open('tools/call', { name: tool, arguments: args }, { meta });
  }

  task(taskId: unknown): Promise<Json> {
    return this.request('tasks/get', { taskId });
  }
}

function answerIn(frames: readonly RawFrame[]): Json {
  const answer = frames.find(({ message }) => message && ('result' in message || 'error' in message));
  if (!answer?.message) throw new Error('No answer');
  return answer.message;
}
