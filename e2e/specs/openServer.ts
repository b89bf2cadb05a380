/** An HTTP server on a free port that every page may talk to, and that leaves each answer to the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentMessage {
  readonly id: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface OpenServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface OpenServerOptions {
  /** Answers a request of the protocol. Notifications and responses get 202. */
  readonly post: (message: SentMessage, response: ServerResponse, request: IncomingMessage) => void;
  /** Answers a GET, and says so; else it gets 405. */
  readonly get?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export async function startOpenServer({ post, get }: OpenServerOptions): Promise<OpenServer> {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '*',
    );
    response.setHeader('access-control-expose-headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (request.method === 'GET' && get?.(request, response)) return;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id, method, params = {} } = JSON.parse(body) as Partial<SentMessage>;
      if (id === undefined || method === undefined) return void response.writeHead(202).end();
      post({ id, method, params }, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with one JSON body. */
export function respond(response: ServerResponse, id: string, outcome: object, headers = {}): void {
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
}

export function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}
