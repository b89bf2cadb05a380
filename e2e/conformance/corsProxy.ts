/**
 * A forward proxy that adds CORS headers. The suite's servers send none, and a page may not read an answer without:
 * the browser stays as strict as ever, and every address stays as the suite wrote it.
 */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CorsProxy {
  readonly address: string;
  close(): Promise<void>;
}

export async function startCorsProxy(): Promise<CorsProxy> {
  const server = createServer((request, response) => {
    if (isPreflight(request)) response.writeHead(204, allow(request)).end();
    else pass(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pass(request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '' } = request;
  const onward = forward(url, { method: method ?? 'GET', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...allow(request) });
    answer.pipe(response);
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, allow(request)).end();
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function allow({ headers }: IncomingMessage): Record<string, string> {
  const { origin } = headers;
  if (origin === undefined) return {};
  const asked = headers['access-control-request-headers'];
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-expose-headers': '*',
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
  };
}
