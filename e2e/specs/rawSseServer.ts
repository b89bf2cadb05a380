/** A server with sessions whose answers to calls are written by the test, byte by byte: no library checks them. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base } from './inspector.ts';

interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly request: IncomingMessage;
}

interface RawOptions {
  readonly tools: readonly object[];
  readonly sessionId?: string;
  /** The body of the stream that answers a call; `end` closes it, else it stays open. */
  readonly answer: (call: RawCall) => { readonly text: string; readonly end: boolean };
  /** The answer to a GET with `Last-Event-ID`. */
  readonly resume?: (lastEventId: string) => string;
}

interface RawServer {
  readonly url: string;
  readonly resumedFrom: string[];
  close(): Promise<void>;
}

async function startRawServer(options: RawOptions): Promise<RawServer> {
  const { sessionId = '5e55101d-0000-4000-8000-0123456789ab' } = options;
  const resumedFrom: string[] = [];
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '*',
    );
    response.setHeader('access-control-expose-headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const stream = () => response.writeHead(200, { 'content-type': 'text/event-stream' });
    const lastEventId = request.headers['last-event-id'];
    if (request.method === 'GET' && typeof lastEventId === 'string' && options.resume) {
      resumedFrom.push(lastEventId);
      return void stream().write(options.resume(lastEventId));
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id, method, params = {} } = JSON.parse(body) as Message;
      if (id === undefined || method === undefined) return void response.writeHead(202).end();
      if (method === 'tools/call') {
        const { name = '', arguments: args = {} } = params;
        const { text, end } = options.answer({ id, name, args, request });
        stream().write(text);
        return void (end && response.end());
      }
      const result =
        method === 'initialize' ? HANDSHAKE : method === 'tools/list' ? { tools: options.tools } : {};
      response
        .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': sessionId })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    resumedFrom,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One event with an ID. `data` is JSON text, or a value to print. */
export function event(id: string, data: unknown): string {
  return `id: ${id}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

export const test = base.extend<{ raw: (options: RawOptions) => Promise<RawServer> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  raw: async ({}, use) => {
    const running: RawServer[] = [];
    await use(async (options) => {
      const server = await startRawServer(options);
      running.push(server);
      return server;
    });
    await Promise.all(running.map((server) => server.close()));
  },
});

interface Message {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw', version: '1' },
};
