import { once } from 'node:events';
import { createServer, request as startRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startBlipProxy } from './blipProxy.ts';

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

/** Keeps every response open, and what was asked for. */
async function startServer() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': request.headers.accept });
    response.flushHeaders();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** As a browser asks a proxy: with the whole URL in the first line. */
function ask(proxy: string, url: string, headers: Record<string, string>) {
  const request = startRequest(proxy, { path: url, headers });
  const response = once(request, 'response').then(([answer]) => answer as IncomingMessage);
  request.on('error', () => undefined);
  request.end();
  closes.push(() => request.destroy());
  return { request, response };
}

describe('while the stream of a page that has gone is held', () => {
  const stream = { accept: 'text/event-stream' };

  // The server allows one standalone stream, so it would reject the second page for what only the proxy does.
  it.each([
    ['the standalone stream', stream],
    ['a resumed stream', { ...stream, 'last-event-id': 'e1' }],
  ])('%s of another page waits', async (_, headers) => {
    const server = await startServer();
    const proxy = await startBlipProxy('http://127.0.0.1:1/');
    closes.push(() => proxy.close());
    const first = ask(proxy.url, `${server.url}/first`, stream);
    await first.response;

    const missed = proxy.watch();
    first.request.destroy();
    const second = ask(proxy.url, `${server.url}/second`, headers);
    await ask(proxy.url, `${server.url}/metadata`, { accept: 'application/json' }).response;
    expect(server.asked).toEqual(['/first', '/metadata']);

    missed.release();
    await second.response;
    expect(server.asked).toEqual(['/first', '/metadata', '/second']);
  });
});
