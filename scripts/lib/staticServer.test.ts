import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveStatic, type StaticServer } from './staticServer.mjs';

let parent: string;
let root: StaticServer;
let nested: StaticServer;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'reprise-static-'));
  const folder = join(parent, 'site');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(parent, 'site-secret'));
  await writeFile(join(parent, 'site-secret', 'key.txt'), 'secret');
  await writeFile(join(folder, 'index.html'), '<title>Reprise</title>');
  await writeFile(join(folder, 'sw.js'), '');
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), '');
  root = await serveStatic({ folder });
  nested = await serveStatic({ folder, base: '/tools/my app/' });
});

afterAll(async () => {
  await Promise.all([root.close(), nested.close()]);
  await rm(parent, { recursive: true });
});

/** `fetch` would tidy up the path before it is sent. */
const rawGet = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(root.url);
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
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

test('lets no other page frame this one, and sends no referrer', async () => {
  const { headers } = await fetch(root.url);
  expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

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
    expect(await rawGet(path)).toBe(404);
  });

  test('and calls an address invalid that is', async () => {
    expect(await rawGet('/%E0%A4%A')).toBe(400);
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
