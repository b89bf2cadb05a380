import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HarnessError } from '../harnessError.ts';
import { probeCors } from './cors.ts';
import { openRaw, reach } from './reach.ts';
import { RawSession } from './rawSession.ts';
import { RawStateless } from './rawStateless.ts';

/** What arrived at the origin that the server redirects to, by method. */
const arrived: string[] = [];
const HEADERS = { 'x-api-key': 'KEY-OF-THE-USER', authorization: 'Bearer TOKEN-OF-THE-USER' };
const servers: Server[] = [];
let url: string;

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

beforeAll(async () => {
  const other = await listen(
    createServer((request, response) => {
      arrived.push(request.method ?? '');
      response.end('{}');
    }),
  );
  url = await listen(
    createServer((_request, response) => {
      response.writeHead(307, { location: `${other}?key=SECRET` }).end();
    }),
  );
});

afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

describe('a server that redirects to another origin', () => {
  it.each([
    ['a handshake', () => RawSession.open(url, HEADERS)],
    ['the first look', () => reach(url, HEADERS)],
    ['either era', () => openRaw(url, HEADERS)],
    ['CORS, with sessions', () => probeCors(url, 'http://localhost:1', HEADERS, 'session')],
    ['CORS, stateless', () => probeCors(url, 'http://localhost:1', HEADERS, 'stateless')],
  ])('gets no header sent on by %s, and the user is told', async (_name, run) => {
    const error = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(arrived).toEqual([]);
    expect(error).toBeInstanceOf(HarnessError);
    expect(String(error)).toMatch(/redirects to http:\/\/127.0.0.1:\d+\/mcp \(HTTP 307\)/);
    expect(String(error)).not.toContain('SECRET');
  });

  it('is no server of 2026-07-28', async () => {
    expect(await RawStateless.open(url, HEADERS)).toBeUndefined();
    expect(arrived).toEqual([]);
  });
});
