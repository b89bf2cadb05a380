import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveStatic, type StaticServer } from './staticServer.mjs';

const POLICY = "default-src 'self'; connect-src *";
let parent: string;
let root: StaticServer;
let nested: StaticServer;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'reprise-static-'));
  const folder = join(parent, 'site');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(parent, 'site-secret'));
  await writeFile(join(parent, 'site-secret', 'key.txt'), 'secret');
  await writeFile(
    join(folder, 'index.html'),
    `<meta\n  http-equiv="Content-Security-Policy"\n  content="${POLICY}"\n/><title>Reprise</title>`,
  );
  await writeFile(join(folder, 'sw.js'), '');
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), '');
  root = await serveStatic({ folder });
  nested = await serveStatic({ folder, base: '/tools/my app/' });
});

afterAll(async () => {
  await Promise.all([root.close(), nested.close()]);
  await rm(parent, { recursive: true });
});

/** `fetch` would tidy up the path before it is sent, and set the Host itself. */
const rawGet = (path: string, host?: string) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(root.url);
    const headers = host === undefined ? {} : { host };
    request({ hostname, port, path, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    })
      .on('error', reject)
      .end();
  });

test('serves index.html for the folder, and asks for it again each time', async () => {
  const response = await fetch(root.url);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.text()).toContain('Reprise');
});

test.each(['', 'sw.js', 'assets/app-1a2b.js'])('sends the policy of the page with "%s"', async (path) => {
  const { headers } = await fetch(new URL(path, root.url));
  expect(headers.get('content-security-policy')).toBe(`${POLICY}; frame-ancestors 'none'`);
});

test.each(['', 'sw.js', 'not-there.js'])(
  'keeps other origins from framing and reading "%s"',
  async (path) => {
    const { headers } = await fetch(new URL(path, root.url));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  },
);

test.each(['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '[::1]:4778'])('serves under %s', async (host) => {
  expect((await rawGet('/', host)).status).toBe(200);
});

test.each(['evil.example', 'evil.example:4778', 'localhost.evil.example', 'a@localhost', '192.168.0.2'])(
  'refuses the Host "%s" in words',
  async (host) => {
    const { status, body } = await rawGet('/', host);
    expect(status).toBe(403);
    expect(body).toContain(`Open ${root.url}`);
    expect(body).not.toContain('<title>');
  },
);

test('keeps only files whose names carry a hash', async () => {
  const asset = await fetch(new URL('assets/app-1a2b.js', root.url));
  const worker = await fetch(new URL('sw.js', root.url));
  expect(asset.headers.get('cache-control')).toContain('immutable');
  expect(worker.headers.get('cache-control')).toBe('no-cache');
  expect(worker.headers.get('content-type')).toContain('text/javascript');
});

test('answers under 127.0.0.1 too', async () => {
  expect((await fetch(root.url.replace('localhost', '127.0.0.1'))).status).toBe(200);
});

test('says 404 for what is not there, and 405 for what is no file to read', async () => {
  expect((await fetch(new URL('demo/mcp', root.url))).status).toBe(404);
  expect((await fetch(root.url, { method: 'POST' })).status).toBe(405);
});

describe('stays in its folder', () => {
  test.each([
    '/../site-secret/key.txt',
    '/%2e%2e/site-secret/key.txt',
    '/..%2fsite-secret/key.txt',
    '/a%00b',
  ])('for %s', async (path) => {
    expect((await rawGet(path)).status).toBe(404);
  });

  test('and calls an address invalid that is', async () => {
    expect((await rawGet('/%E0%A4%A')).status).toBe(400);
  });
});

test('serves a site under a path, and nothing beside it', async () => {
  expect((await fetch(nested.url)).status).toBe(200);
  expect((await fetch(new URL('/', nested.url))).status).toBe(404);
  expect((await fetch(nested.url.replace(/\/$/, ''))).url).toBe(new URL(nested.url).href);
});

test('says that a port is taken', async () => {
  const port = Number(new URL(root.url).port);
  await expect(serveStatic({ folder: parent, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
