/** MCP by hand, from Node: for what a page cannot do or must not, such as asking for another session's events. */
import { randomUUID } from 'node:crypto';
import { BRIDGE_HEADER, readBridgeMark, type BridgeMark } from '../../src/base/bridgeContract.ts';
import { objectField, stringField, type JsonObject } from '../../src/base/json.ts';
import type { SnapshotList } from '../../src/client/catalog/interface/snapshot.ts';
import { Redactor } from '../../src/wire/redact.ts';
import type { Tool } from '../contract.ts';
import { HarnessError } from '../harnessError.ts';
import type { Exchange } from '../report/facts.ts';
import { LIST_METHODS } from './listMethods.ts';
import { send } from './send.ts';
import { SseReader } from './sseReader.ts';

const LATEST = '2025-11-25';
const ANSWER_MS = 15_000;
const OLD_SSE_MS = 2000;

export class RawSession {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;
  sessionId: string | undefined;
  protocolVersion = LATEST;
  server = { name: '', version: '' };
  capabilities: JsonObject = {};
  instructions: string | undefined;
  bridge: BridgeMark | undefined;
  readonly #open = new Set<SseReader>();

  /** Shakes hands, or says in words why not. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<RawSession> {
    const session = new RawSession(url, headers);
    const reader = await session.initialize();
    const answer = await session.#answerIn(reader);
    const { response } = reader;
    if (!response.ok || !answer || !objectField(answer, 'result')) {
      if (await session.#isOldSse(response.status)) throw tooOld(url);
      throw refused(reader, answer);
    }
    session.#learn(response, objectField(answer, 'result') ?? {});
    const told = await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await told.close();
    return session;
  }

  /** As the standard tells the transport of 2024-11-05: the POST is refused, and a GET names another address. */
  async #isOldSse(refusal: number): Promise<boolean> {
    if (![400, 404, 405].includes(refusal)) return false;
    const reader = await this.get();
    const isOld = await reader.until(() => /^event: ?endpoint$/m.test(reader.excerpt), OLD_SSE_MS);
    await reader.close();
    return isOld;
  }

  private constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.url = url;
    this.#headers = headers;
  }

  async tools(): Promise<readonly Tool[]> {
    return (await this.list('tools')) as readonly Tool[];
  }

  async list(list: SnapshotList): Promise<readonly object[]> {
    const items: object[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
      const result = await this.#listPage(LIST_METHODS[list], cursor);
      items.push(...((result[list] as object[] | undefined) ?? []));
      cursor = stringField(result, 'nextCursor');
      if (cursor === undefined) break;
    }
    return items;
  }

  /** Whether the stream of a response has event IDs. */
  async sendsEventIds(): Promise<boolean> {
    const reader = await this.post({ jsonrpc: '2.0', id: randomUUID(), method: 'ping' });
    await this.#answerIn(reader);
    await reader.close();
    return reader.events.some(({ id }) => id !== undefined);
  }

  async #listPage(method: string, cursor: string | undefined): Promise<JsonObject> {
    const params = cursor === undefined ? {} : { cursor };
    const reader = await this.post({ jsonrpc: '2.0', id: randomUUID(), method, params });
    const answer = await this.#answerIn(reader);
    await reader.close();
    const { status, ok } = reader.response;
    // A server without tools answers with a JSON-RPC error, and that is no fault.
    if (ok && answer) return objectField(answer, 'result') ?? {};
    throw new HarnessError(
      'unreachable',
      `The server accepts initialize, but returns HTTP ${status}${ok ? ' and no message' : ''} for ${method} in the same session. No client can use it.`,
    );
  }

  /** Starts a call, and leaves its stream open to be read. A tool that is silent may have no head before its result. */
  call(tool: string, args: object, id: string, headWithinMs?: number): Promise<SseReader> {
    const params = { name: tool, arguments: args, _meta: { progressToken: id } };
    return this.post({ jsonrpc: '2.0', id, method: 'tools/call', params }, headWithinMs);
  }

  post(body: object, headWithinMs?: number): Promise<SseReader> {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return this.#send('POST', headers, JSON.stringify(body), headWithinMs);
  }

  get(lastEventId?: string): Promise<SseReader> {
    const position = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return this.#send('GET', { accept: 'text/event-stream', ...position });
  }

  async delete(): Promise<SseReader> {
    return this.#send('DELETE', {});
  }

  /** Ends the session, and every stream that is still open. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((reader) => reader.close()));
    if (this.sessionId === undefined) return;
    await this.delete()
      .then((reader) => reader.close())
      .catch(() => undefined);
  }

  headersFor(extra: Readonly<Record<string, string>>): Record<string, string> {
    return {
      ...this.#headers,
      'mcp-protocol-version': this.protocolVersion,
      ...(this.sessionId !== undefined && { 'mcp-session-id': this.sessionId }),
      ...extra,
    };
  }

  async #send(
    method: string,
    extra: Readonly<Record<string, string>>,
    body?: string,
    headWithinMs = ANSWER_MS,
  ): Promise<SseReader> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), headWithinMs);
    try {
      const init = { method, headers: this.headersFor(extra), signal: abort.signal, ...(body && { body }) };
      const reader = new SseReader(await send(this.url, init), abort);
      this.#open.add(reader);
      return reader;
    } catch (error) {
      if (abort.signal.aborted) throw new NoResponse(method, headWithinMs);
      throw error instanceof HarnessError ? error : unreachable(this.url, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks for a session, under the old ID if there is one. */
  initialize(): Promise<SseReader> {
    const params = {
      protocolVersion: LATEST,
      capabilities: { elicitation: {}, sampling: {} },
      clientInfo: { name: 'mcp-reprise verify', version: '1' },
    };
    return this.post({ jsonrpc: '2.0', id: randomUUID(), method: 'initialize', params });
  }

  #learn(response: Response, result: JsonObject): void {
    const info = objectField(result, 'serverInfo');
    this.sessionId = response.headers.get('mcp-session-id') ?? undefined;
    this.protocolVersion = stringField(result, 'protocolVersion') ?? LATEST;
    this.server = { name: stringField(info, 'name') ?? '', version: stringField(info, 'version') ?? '' };
    this.capabilities = objectField(result, 'capabilities') ?? {};
    this.instructions = stringField(result, 'instructions');
    this.bridge = readBridgeMark(response.headers.get(BRIDGE_HEADER));
  }

  async #answerIn(reader: SseReader): Promise<JsonObject | undefined> {
    const find = () => reader.messages.find((message) => 'result' in message || 'error' in message);
    await reader.until(() => find() !== undefined, ANSWER_MS);
    return find();
  }
}

/** The server took a request and sent nothing, not even the head of a response. */
export class NoResponse extends HarnessError {
  constructor(method: string, withinMs: number) {
    super('unreachable', `The server sent no response to ${method} within ${Math.round(withinMs / 1000)} s.`);
  }
}

/** The exchange behind a reader, with the secrets of the person left out. */
export function rawExchange(reader: SseReader, method: string, sent: Record<string, string> = {}): Exchange {
  const { response } = reader;
  return {
    method,
    url: response.url,
    requestHeaders: sent,
    status: response.status,
    responseHeaders: new Redactor().headers(response.headers),
    ...(reader.excerpt !== '' && { body: reader.excerpt.slice(0, 600) }),
  };
}

function unreachable(url: string, error: unknown): HarnessError {
  const { host } = new URL(url);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message || cause.name : String(cause);
  const message = `No response from ${host} (${why}). Check that the server is running and that the URL is correct.`;
  return new HarnessError('unreachable', message, { cause: error });
}

function tooOld(url: string): HarnessError {
  return new HarnessError(
    'unreachable',
    `${url} uses HTTP+SSE (2024-11-05, deprecated), where a reload always ends the session. Use Streamable HTTP.`,
  );
}

function refused({ response, excerpt }: SseReader, answer: JsonObject | undefined): HarnessError {
  const { status } = response;
  const said = stringField(objectField(answer, 'error'), 'message') ?? '';
  if (status === 401 || status === 403) {
    const header = status === 401 ? 'requires authorization (HTTP 401)' : 'denied access (HTTP 403)';
    return new HarnessError(
      'unreachable',
      `The server ${header}. Pass a token with --bearer env:NAME, or set MCP_REPRISE_CLIENT_ID for client credentials.`,
    );
  }
  const detail = said === '' ? excerpt.trim().slice(0, 120) : said;
  const words = detail === '' ? '' : `: ${detail}`;
  return new HarnessError(
    'unreachable',
    `No MCP server at ${response.url} (HTTP ${status}${words}). Check the path. Most MCP endpoints end in /mcp.`,
  );
}
