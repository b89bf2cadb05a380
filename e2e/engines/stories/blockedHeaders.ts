/**
 * A server that allows no `mcp-*` header by CORS, and whose GET opens a stream without a byte. Whatever gets through to it
 * is answered: a page in an engine that lets the headers through may be connected.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../../src/base/json.ts';
import type { AppPage } from '../appPage.ts';

/** @returns what the page gets wrong about that server, if anything */
export async function diagnoseBlockedHeaders(page: AppPage, site: string): Promise<string | undefined> {
  let letsThrough = false;
  const server = createServer((request, response) => {
    if (request.headers['mcp-protocol-version'] !== undefined) letsThrough = true;
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  try {
    await page.tab.goto(site);
    const state = await page.askToConnect(url);
    const isRight = letsThrough ? /"name":"connected"/ : /mcp-protocol-version/i;
    if (isRight.test(state)) return undefined;
    return letsThrough
      ? `the page isn't connected, although the headers arrived: ${state}`
      : `the doctor doesn't list the headers: ${state}`;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', 'content-type, accept');
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  if (request.method === 'OPTIONS') return response.writeHead(204).end();
  if (request.method === 'GET') {
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method } = readRequest(body);
  if (id === undefined) return response.writeHead(202).end();
  response.setHeader('content-type', 'application/json');
  if (method === 'initialize') response.setHeader('mcp-session-id', 'blocked');
  return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcomeOf(method) }));
}

function outcomeOf(method: unknown): object {
  const serverInfo = { name: 'blocked', version: '1' };
  switch (method) {
    case 'initialize':
      return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } };
    case 'tools/list':
      return { result: { tools: [] } };
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}

function readRequest(body: string): { id?: unknown; method?: unknown } {
  try {
    const message: unknown = JSON.parse(body);
    return isObject(message) ? message : {};
  } catch {
    return {};
  }
}
