/** MCP by hand over raw HTTP, one step after the other; each exchange is written down as it happens. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { objectField, stringField, type JsonObject } from '../../../src/base/json.ts';
import { RawRequest, type RawInit } from './rawRequest.ts';

export const LATEST = '2025-11-25';
const STATELESS = '2026-07-28';
const HEAD_MS = 20_000;
const HELD_MS = 8000;
const ACCEPT = 'application/json, text/event-stream';
const CLIENT = { name: 'raw-check', version: '1' };

export type Write = (line: string) => void;

/** A session of its own, so that no step can spoil another. */
export class RawClient {
  readonly url: string;
  readonly write: Write;
  sessionId: string | undefined;
  protocolVersion = LATEST;
  capabilities: JsonObject = {};
  readonly #requests = new Set<RawRequest>();

  constructor(url: string, write: Write) {
    this.url = url;
    this.write = write;
  }

  static async initialized(url: string, write: Write): Promise<RawClient> {
    const client = new RawClient(url, write);
    const params = {
      protocolVersion: LATEST,
      capabilities: { elicitation: {}, sampling: {} },
      clientInfo: CLIENT,
    };
    const answered = await client.ask('initialize', params);
    const result = objectField(answered.response, 'result');
    if (!result) throw new Error(`initialize was answered with ${answered.request.status ?? 'nothing'}`);
    const id = answered.request.headers['mcp-session-id'];
    client.sessionId = typeof id === 'string' ? id : undefined;
    client.protocolVersion = stringField(result, 'protocolVersion') ?? LATEST;
    client.capabilities = objectField(result, 'capabilities') ?? {};
    const told = client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await told.until(() => told.ended, 3000);
    client.show(told);
    return client;
  }

  /** A request and its response, read to the end. */
  async ask(
    method: string,
    params: object = {},
    withinMs = HEAD_MS,
  ): Promise<{ request: RawRequest; response: JsonObject | undefined }> {
    const id = randomUUID();
    const request = this.post({ jsonrpc: '2.0', id, method, params });
    await request.until(() => request.responseTo(id) !== undefined, withinMs);
    this.show(request);
    request.cut();
    return { request, response: request.responseTo(id) };
  }

  call(name: string, args: object, id: string): RawRequest {
    const params = { name, arguments: args, _meta: { progressToken: id } };
    return this.post({ jsonrpc: '2.0', id, method: 'tools/call', params });
  }

  post(body: { readonly method: string; readonly [field: string]: unknown }): RawRequest {
    return this.send({ method: 'POST', headers: { accept: ACCEPT }, body }, body.method);
  }

  get(lastEventId?: string): RawRequest {
    const position = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return this.send({ method: 'GET', headers: { accept: 'text/event-stream', ...position } });
  }

  /** A server may hold the old connection for a moment (409). */
  async resume(lastEventId: string): Promise<RawRequest> {
    for (const endsAt = Date.now() + HELD_MS; ;) {
      const request = this.get(lastEventId);
      await request.untilHead(HEAD_MS);
      if (request.status !== 409 || Date.now() > endsAt) return request;
      this.show(request);
      await pause(100);
    }
  }

  send(init: RawInit, what = ''): RawRequest {
    const headers: Record<string, string> = {
      'mcp-protocol-version': this.protocolVersion,
      ...(this.sessionId !== undefined && { 'mcp-session-id': this.sessionId }),
      ...init.headers,
    };
    const position = headers['last-event-id'];
    this.write(
      `> ${init.method} ${what}${position === undefined ? '' : `Last-Event-ID: ${position}`}`.trimEnd(),
    );
    const onMessage = (message: JsonObject): void => this.#answerPing(message);
    const request = new RawRequest(this.url, { ...init, headers, onMessage });
    this.#requests.add(request);
    return request;
  }

  /** A server may end the session of a client that doesn't answer. */
  #answerPing({ method, id }: JsonObject): void {
    if (method !== 'ping' || id === undefined) return;
    const body = { jsonrpc: '2.0', id, result: {} };
    this.send({ method: 'POST', headers: { accept: ACCEPT }, body }, 'the answer to a ping');
  }

  show(request: RawRequest): void {
    const type = request.headers['content-type'] ?? '';
    this.write(
      `< ${request.status ?? 'no head'} ${type} ${request.messages.length} messages${request.ended ? ', ended' : ''}`,
    );
    for (const { id, message } of request.events) {
      const said = message === undefined ? '(no message)' : JSON.stringify(message).slice(0, 160);
      this.write(`<   ${id === undefined ? '' : `id ${id} `}${said}`);
    }
  }

  /** Ends the session, and what is still open in it. */
  async close(): Promise<void> {
    for (const request of this.#requests) request.cut();
    if (this.sessionId === undefined) return;
    const ended = this.send({ method: 'DELETE' });
    await ended.untilHead(3000);
    ended.cut();
  }
}

/** The envelope of 2026-07-28 around a request. */
export function statelessRequest(
  url: string,
  id: string,
  method: string,
  params: JsonObject,
  more: Readonly<Record<string, string>> = {},
): RawRequest {
  const name = stringField(params, 'name');
  return new RawRequest(url, {
    method: 'POST',
    headers: {
      accept: ACCEPT,
      'mcp-protocol-version': STATELESS,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
      ...more,
    },
    body: {
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          progressToken: id,
          'io.modelcontextprotocol/protocolVersion': STATELESS,
          'io.modelcontextprotocol/clientInfo': CLIENT,
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {} },
        },
      },
    },
  });
}
