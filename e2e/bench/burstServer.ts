/**
 * A server that costs nothing: it answers a call with bytes that are made in one go, so that a benchmark measures the
 * page and not the server. `GET /raw` gives the same bytes outside MCP, for the yardstick.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BurstServer {
  readonly url: string;
  readonly rawUrl: string;
  close(): Promise<void>;
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-expose-headers': 'mcp-session-id',
  'timing-allow-origin': '*',
};

interface Rpc {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly count?: number } };
}

export async function startBurstServer(): Promise<BurstServer> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/mcp`,
    rawUrl: `${origin}/raw`,
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
    return stream(response, burst(searchParams.get('token') ?? '', Number(searchParams.get('count'))));
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
      return stream(response, burst(id, params?.arguments?.count ?? 0));
    default:
      return json(response, id, {});
  }
}

/** The messages of one call: numbered progress, and the result. */
function burst(token: string, count: number): Buffer {
  const lines: string[] = ['id: 0\ndata: \n\n'];
  for (let i = 1; i <= count; i += 1) {
    const params = { progressToken: token, progress: i, total: count, message: `step ${i} of ${count}` };
    lines.push(
      `id: ${i}\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`,
    );
  }
  const result = { content: [{ type: 'text', text: `sent ${count}` }] };
  lines.push(`id: ${count + 1}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: token, result })}\n\n`);
  return Buffer.from(lines.join(''));
}

function stream(response: ServerResponse, bytes: Buffer): void {
  response.writeHead(200, { ...CORS, 'content-type': 'text/event-stream', 'mcp-session-id': 'bench' });
  response.end(bytes);
}

function json(response: ServerResponse, id: string, result: object): void {
  response.writeHead(200, { ...CORS, 'content-type': 'application/json', 'mcp-session-id': 'bench' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, CORS);
  response.end();
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
