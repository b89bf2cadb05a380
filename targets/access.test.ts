import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { RawClient } from './testing/rawClient.ts';
import { withTarget } from './testing/withTarget.ts';

const ORIGIN = 'http://localhost:4173';
const NEEDED = [
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];

const preflight = (url: string, origin = ORIGIN) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': NEEDED.join(),
    },
  });

/** fetch sets Host itself; an attacker's page has its own. */
function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.once('error', reject).end('{}');
  });
}

describe('a target', () => {
  it('allows a page everything that it needs', async () => {
    const { url } = await withTarget('resumable');
    const allowed = await preflight(url);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('DELETE');
    const headers = allowed.headers.get('access-control-allow-headers')?.split(', ');
    expect(headers).toEqual(expect.arrayContaining(NEEDED));
    const response = await new RawClient(url, { headers: { origin: ORIGIN } }).initialize();
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
  });

  it('lets a page read errors too', async () => {
    const client = new RawClient((await withTarget('resumable')).url, { headers: { origin: ORIGIN } });
    client.sessionId = 'nobody';
    const refused = (await client.get()).response;
    expect(refused.status).toBe(404);
    expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  it('refuses origins and hosts that are not loopback', async () => {
    const { url } = await withTarget('resumable');
    expect((await preflight(url, 'https://evil.example')).status).toBe(403);
    expect(
      (await new RawClient(url, { headers: { origin: 'https://evil.example' } }).initialize()).status,
    ).toBe(403);
    expect(await statusWithHost(url, 'evil.example')).toBe(403);
    expect(await statusWithHost(url, 'localhost')).not.toBe(403);
  });

  it('takes further origins when it is told to', async () => {
    const origin = 'https://reprise.example';
    const { url } = await withTarget('resumable', { allowedOrigins: [origin] });
    expect((await preflight(url, origin)).headers.get('access-control-allow-origin')).toBe(origin);
  });
});

describe('no-cors', () => {
  it('works without a page, and has no word for one', async () => {
    const { url } = await withTarget('no-cors');
    const refused = await preflight(url);
    expect(refused.ok).toBe(false);
    const response = await new RawClient(url, { headers: { origin: ORIGIN } }).initialize();
    expect(response.status).toBe(200);
    for (const { headers } of [refused, response]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('hidden-session', () => {
  it('sends the session id and does not let a page read it', async () => {
    const { url } = await withTarget('hidden-session');
    expect((await preflight(url)).status).toBe(204);
    const response = await new RawClient(url, { headers: { origin: ORIGIN } }).initialize();
    expect(response.headers.get('mcp-session-id')).toBeTruthy();
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-expose-headers')).not.toContain('mcp-session-id');
  });
});

describe('cors-no-cursor', () => {
  it('allows a page every header but Last-Event-ID', async () => {
    const { url } = await withTarget('cors-no-cursor');
    const allowed = (await preflight(url)).headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).not.toContain('last-event-id');
    expect(allowed).toEqual(expect.arrayContaining(NEEDED.filter((name) => name !== 'last-event-id')));
    const response = await new RawClient(url, { headers: { origin: ORIGIN } }).initialize();
    expect(response.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
  });

  it('resumes for those who need no preflight', async () => {
    const client = await RawClient.connect((await withTarget('cors-no-cursor')).url);
    const frames = await (await client.call('fail', { afterMs: 1 })).readAll();
    expect(await (await client.get(frames[0]?.id)).readAll()).toEqual(frames.slice(1));
  });
});

describe('bare-errors', () => {
  it('takes the CORS headers from errors, and only from them, until the next reset', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url, { headers: { origin: ORIGIN } });
    const ping = () => client.post({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const allowed = ({ status, headers }: Response) => [status, headers.get('access-control-allow-origin')];
    await fetch(`${target.origin}/__control/bare-errors`, { method: 'POST' });
    expect(allowed(await ping())).toEqual([200, ORIGIN]);
    await target.control('expire-sessions');
    expect(allowed(await ping())).toEqual([404, null]);
    expect(allowed(await preflight(target.url))).toEqual([204, ORIGIN]);
    await target.control('reset');
    expect(allowed(await ping())).toEqual([404, ORIGIN]);
  });
});
