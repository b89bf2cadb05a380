/** A server that responds to `initialize`, allows no `mcp-*` header, and whose GET opens a stream without a byte. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../src/base/json.ts';
import type { Engine } from './engine.ts';

/** @returns what the page gets wrong about that server, if anything */
export async function diagnoseBlockedHeaders(engine: Engine, site: string): Promise<string | undefined> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  try {
    await engine.goto(site);
    const state = await engine.run<string>(
      `await reprise.ready; return JSON.stringify(await reprise.connect(${JSON.stringify(url)}))`,
    );
    return /mcp-protocol-version/i.test(state) ? undefined : `the doctor does not name the headers: ${state}`;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', 'content-type, accept');
  if (request.method === 'OPTIONS') return response.writeHead(204).end();
  if (request.method === 'GET') {
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method } = readRequest(body);
  if (method !== 'initialize') return response.writeHead(400).end();
  response.setHeader('content-type', 'application/json').setHeader('mcp-session-id', 'blocked');
  const serverInfo = { name: 'blocked', version: '1' };
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function readRequest(body: string): { id?: unknown; method?: unknown } {
  try {
    const message: unknown = JSON.parse(body);
    return isObject(message) ? message : {};
  } catch {
    return {};
  }
}
