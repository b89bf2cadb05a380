/**
 * A server that costs nothing: it answers a call with bytes that are made in one go, so that a benchmark measures the
 * page and not the server. `GET /raw` gives the same bytes outside MCP, for the yardstick.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BurstServer {
  readonly url: string;
  readonly rawUrl: string;
  /** When the last call arrived, in milliseconds since 1970: a page may have made it in a worker. */
  readonly calledAt: number;
  close(): Promise<void>;
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-expose-headers': 'mcp-session-id',
  'timing-allow-origin': '*',
};

/** `mixed`: progress as the TypeScript SDK writes it, and log messages with nested data, in turn. */
export type BurstKind = 'progress' | 'mixed';

/** What a call asks for, and `GET /raw` in its query. */
export interface BurstOptions {
  readonly count: number;
  readonly kind?: BurstKind;
  /** The bytes are made before they are asked for; only the token is written into them then. */
  readonly isReady?: boolean;
}

let calledAt = NaN;

interface Rpc {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly arguments?: Partial<BurstOptions> };
}

export async function startBurstServer(): Promise<BurstServer> {
  const { origin, close } = await serveHere(answer);
  return {
    url: `${origin}/mcp`,
    rawUrl: `${origin}/raw`,
    get calledAt() {
      return calledAt;
    },
    close,
  };
}

/** A server on a free port of this machine. */
export async function serveHere(
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'OPTIONS') return end(response, 204);
  if (request.url?.startsWith('/raw') === true) {
    const { searchParams } = new URL(request.url, 'http://127.0.0.1');
    return stream(response, bytesOf(searchParams.get('token') ?? '', readOptions(searchParams)));
  }
  if (request.method === 'GET') return end(response, 405);
  if (request.method === 'DELETE') return end(response, 200);
  const { id, method, params } = JSON.parse(await read(request)) as Rpc;
  if (id === undefined) return end(response, 202);
  switch (method) {
    case 'initialize':
      return json(response, id, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'burst', version: '1' },
      });
    case 'tools/list':
      return json(response, id, { tools: [{ name: 'burst', inputSchema: { type: 'object' } }] });
    case 'tools/call':
      calledAt = performance.timeOrigin + performance.now();
      return stream(response, bytesOf(id, { count: 0, ...params?.arguments }));
    default:
      return json(response, id, {});
  }
}

function readOptions(query: URLSearchParams): BurstOptions {
  const kind = query.get('kind') === 'mixed' ? 'mixed' : 'progress';
  return { count: Number(query.get('count')), kind, isReady: query.get('isReady') === 'true' };
}

/** A request ID of Reprise is a ULID, so another one fits into its place. */
const PLACEHOLDER = '0'.repeat(26);
const ready = new Map<string, { readonly bytes: Buffer; readonly places: readonly number[] }>();

function bytesOf(token: string, { count, kind = 'progress', isReady = false }: BurstOptions): Buffer {
  if (!isReady) return burst(token, count, kind);
  const key = `${kind} ${count}`;
  let made = ready.get(key);
  if (!made) {
    const bytes = burst(PLACEHOLDER, count, kind);
    made = { bytes, places: placesOf(PLACEHOLDER, bytes) };
    ready.set(key, made);
  }
  const text = Buffer.from(token);
  for (const place of made.places) made.bytes.set(text, place);
  return made.bytes;
}

function placesOf(text: string, bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) places.push(at);
  return places;
}

/** The messages of one call: numbered notifications, and the result. */
function burst(token: string, count: number, kind: BurstKind): Buffer {
  const lines: string[] = ['id: 0\ndata: \n\n'];
  const messageOf = kind === 'mixed' ? mixedMessage : progressMessage;
  for (let i = 1; i <= count; i += 1) {
    lines.push(`id: ${i}\ndata: ${JSON.stringify(messageOf(token, i, count))}\n\n`);
  }
  const result = { content: [{ type: 'text', text: `sent ${count}` }] };
  lines.push(`id: ${count + 1}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: token, result })}\n\n`);
  return Buffer.from(lines.join(''));
}

function progressMessage(progressToken: string, progress: number, total: number): object {
  const params = { progressToken, progress, total, message: `step ${progress} of ${total}` };
  return { jsonrpc: '2.0', method: 'notifications/progress', params };
}

function mixedMessage(progressToken: string, i: number, total: number): object {
  if (i % 2 === 1) {
    const params = { progress: i, total, message: `step ${i} of ${total}`, progressToken };
    return { method: 'notifications/progress', params, jsonrpc: '2.0' };
  }
  const data = { step: i, of: total, at: { file: 'src/step.ts', line: i % 997 }, tags: ['a', `t${i % 7}`] };
  return {
    method: 'notifications/message',
    params: { level: 'info', logger: 'bench', data },
    jsonrpc: '2.0',
  };
}

export function stream(response: ServerResponse, bytes: Buffer | string): void {
  response.writeHead(200, { ...CORS, 'content-type': 'text/event-stream', 'mcp-session-id': 'bench' });
  response.end(bytes);
}

function json(response: ServerResponse, id: string, result: object): void {
  response.writeHead(200, { ...CORS, 'content-type': 'application/json', 'mcp-session-id': 'bench' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

export function end(response: ServerResponse, status: number): void {
  response.writeHead(status, CORS);
  response.end();
}

export async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
