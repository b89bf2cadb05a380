/** 2026-07-28 by hand, from Node: each request by itself, with its envelope and its headers. */
import { randomUUID } from 'node:crypto';
import { BRIDGE_HEADER, readBridgeMark, type BridgeMark } from '../../src/base/bridgeContract.ts';
import { objectField, stringField, type JsonObject } from '../../src/base/json.ts';
import type { SnapshotList } from '../../src/client/catalog/interface/snapshot.ts';
import type { Tool } from '../contract.ts';
import { LIST_METHODS } from './listMethods.ts';
import { send } from './send.ts';
import { SseReader } from './sseReader.ts';

export const STATELESS_REVISION = '2026-07-28';
const ANSWER_MS = 15_000;
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = { elicitation: {}, sampling: {} };
const CLIENT = { name: 'mcp-reprise verify', version: '1' };

/** What goes with a request beside its own headers, and what goes into its `_meta`. */
export const envelope = (method: string, name?: string) => ({
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': STATELESS_REVISION,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  },
  meta: {
    'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
    // As a page has it, or a control call from here would have fewer messages.
    'io.modelcontextprotocol/logLevel': 'info',
  },
});

export class RawStateless {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  readonly protocolVersion = STATELESS_REVISION;
  /** As its last response said. */
  bridge: BridgeMark | undefined;
  readonly #open = new Set<SseReader>();

  /** `undefined` where nobody speaks this revision; why is a matter of the handshake that is tried next. */
  static async open(
    url: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<RawStateless | undefined> {
    const probe = new RawStateless(url, headers, {});
    const answer = await probe.#ask('server/discover', {}).catch(() => undefined);
    await probe.close();
    const result = objectField(answer, 'result');
    const versions = result?.['supportedVersions'];
    const speaks = Array.isArray(versions) && versions.includes(STATELESS_REVISION);
    return speaks && result ? new RawStateless(url, headers, result) : undefined;
  }

  private constructor(url: string, headers: Readonly<Record<string, string>>, discovered: JsonObject) {
    this.url = url;
    this.#headers = headers;
    const meta = objectField(discovered, '_meta');
    const info =
      objectField(meta, 'io.modelcontextprotocol/serverInfo') ?? objectField(discovered, 'serverInfo');
    this.server = { name: stringField(info, 'name') ?? '', version: stringField(info, 'version') ?? '' };
    this.capabilities = objectField(discovered, 'capabilities') ?? {};
    this.instructions = stringField(discovered, 'instructions');
  }

  async tools(): Promise<readonly Tool[]> {
    return (await this.list('tools')) as readonly Tool[];
  }

  async list(list: SnapshotList): Promise<readonly object[]> {
    const items: object[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
      const answer = await this.#ask(LIST_METHODS[list], cursor === undefined ? {} : { cursor });
      const result = objectField(answer, 'result') ?? {};
      items.push(...((result[list] as object[] | undefined) ?? []));
      cursor = stringField(result, 'nextCursor');
      if (cursor === undefined) break;
    }
    return items;
  }

  /** Starts a call, and leaves its stream open to be read. A tool that is silent may have no head before its result. */
  call(tool: string, args: object, id: string, headWithinMs?: number): Promise<SseReader> {
    return this.#post(id, 'tools/call', { name: tool, arguments: args }, { progressToken: id }, headWithinMs);
  }

  /** As a page calls it, which also takes a task for an answer. */
  callAsPage(tool: string, args: object, id: string, headWithinMs: number): Promise<SseReader> {
    const capabilities = { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } };
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    return this.#post(id, 'tools/call', { name: tool, arguments: args }, meta, headWithinMs);
  }

  async cancelTask(taskId: string): Promise<void> {
    await this.#ask('tasks/cancel', { taskId });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((reader) => reader.close()));
  }

  async #ask(method: string, params: JsonObject): Promise<JsonObject | undefined> {
    const reader = await this.#post(randomUUID(), method, params);
    const find = () => reader.messages.find((message) => 'result' in message || 'error' in message);
    await reader.until(() => find() !== undefined, ANSWER_MS);
    await reader.close();
    return find();
  }

  async #post(
    id: string,
    method: string,
    params: JsonObject,
    more: object = {},
    headWithinMs = ANSWER_MS,
  ): Promise<SseReader> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), headWithinMs);
    const { headers, meta } = envelope(method, stringField(params, 'name'));
    try {
      const response = await send(this.url, {
        method: 'POST',
        headers: { ...this.#headers, ...headers },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method,
          params: { ...params, _meta: { ...meta, ...more } },
        }),
        signal: abort.signal,
      });
      this.bridge = readBridgeMark(response.headers.get(BRIDGE_HEADER));
      const reader = new SseReader(response, abort);
      this.#open.add(reader);
      return reader;
    } finally {
      clearTimeout(timer);
    }
  }
}
