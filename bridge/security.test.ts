import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { RawClient } from '../targets/testing/rawClient.ts';
import { withBridge, type TestBridge } from './testing/withBridge.ts';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request as Node sends it: `fetch` would not let a test lie about its Host. */
function send(
  bridge: TestBridge,
  {
    method = 'POST',
    path,
    host,
    headers = {},
  }: { method?: string; path?: string; host?: string; headers?: Record<string, string> },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: bridge.port,
        method,
        path: path ?? `/mcp?token=${bridge.token}`,
        headers: {
          host: host ?? `localhost:${bridge.port}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
      },
      (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(method === 'POST' ? INITIALIZE : undefined);
  });
}

describe('the bridge lets in', () => {
  it('a request with the token, under each name of this computer', async () => {
    const bridge = await withBridge();
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect((await send(bridge, { host: `${host}:${bridge.port}` })).status).toBe(200);
    }
  });

  it('a page of a loopback origin, and one that was named, with every header that it needs', async () => {
    const bridge = await withBridge({ origins: ['https://example.org'] });
    for (const origin of [
      `http://localhost:${bridge.port}`,
      'http://127.0.0.1:5173',
      'https://example.org',
    ]) {
      const { status, headers } = await send(bridge, { headers: { origin } });
      expect(status).toBe(200);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toContain('mcp-session-id');
      expect(headers['access-control-expose-headers']).toContain('mcp-reprise-bridge');
      expect(headers['mcp-reprise-bridge']).toBe('stdio; replay=bridge');
      const preflight = await send(bridge, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(preflight.headers['access-control-allow-headers']).toContain('last-event-id');
      expect(preflight.headers['access-control-allow-methods']).toContain('DELETE');
    }
  });
});

describe('the bridge refuses', () => {
  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'file://'])(
    'a page of the origin %s, although it has the token, and starts nothing',
    async (origin) => {
      const bridge = await withBridge();
      const { status, headers } = await send(bridge, { headers: { origin } });
      expect(status).toBe(403);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(bridge.notices).toEqual([]);
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '0.0.0.0', '127.0.0.1.nip.io', '[::]', '['])(
    'the Host %s',
    async (name) => {
      const bridge = await withBridge();
      expect((await send(bridge, { host: `${name}:${bridge.port}` })).status).toBe(403);
      expect(bridge.notices).toEqual([]);
    },
  );

  it('the name of this computer with another port', async () => {
    const bridge = await withBridge();
    expect((await send(bridge, { host: 'localhost:1' })).status).toBe(403);
    expect((await send(bridge, { host: 'localhost' })).status).toBe(403);
  });

  it.each(['/mcp', '/mcp?token=', '/mcp?token=guess', '/mcp/bridge', '/mcp/other'])(
    'a request to %s, which lacks the token',
    async (path) => {
      const bridge = await withBridge();
      for (const method of ['POST', 'GET', 'DELETE']) {
        const { status, body } = await send(bridge, { method, path });
        expect(status).toBe(403);
        expect(body).not.toContain(bridge.token);
      }
      expect(bridge.notices).toEqual([]);
    },
  );

  it('a command or a URL that a request names', async () => {
    const bridge = await withBridge();
    const { status } = await send(bridge, {
      path: `/mcp?token=${bridge.token}&command=touch&url=http://127.0.0.1:1`,
    });
    expect(status).toBe(200);
    const client = await RawClient.connect(bridge.url);
    const tools = JSON.stringify(await client.request('tools/list'));
    expect(tools).toContain('countdown');
  });
});

describe('the link for the browser', () => {
  it('leads to the app with the server, once', async () => {
    const bridge = await withBridge();
    const link = bridge.onceLink();
    expect(link).not.toContain(bridge.token);
    const first = await fetch(link, { redirect: 'manual' });
    expect(first.status).toBe(302);
    expect(first.headers.get('location')).toBe(bridge.link);
    expect(new URLSearchParams(new URL(bridge.link).hash.slice(1)).get('server')).toBe(bridge.url);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(410);
  });
});

describe('the environment of a process', () => {
  it('is what it was given, and nothing of the bridge', async () => {
    process.env['BRIDGE_TEST_SECRET'] = 'secret';
    const bridge = await withBridge();
    const client = await RawClient.connect(bridge.url);
    const frames = JSON.stringify(await (await client.call('environment', {})).readAll());
    delete process.env['BRIDGE_TEST_SECRET'];
    expect(frames).not.toContain('BRIDGE_TEST_SECRET');
    expect(frames).toContain('PATH');
  });
});
