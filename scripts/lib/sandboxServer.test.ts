import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './paths.mjs';
import { appsOriginAt, sandboxPort } from './sandboxServer.mjs';
import { serveStatic, type StaticServer } from './staticServer.mjs';

let folder: string;
let plain: StaticServer;
let withApps: StaticServer;
/** As the page names it. */
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reprise-sandbox-'));
  for (const name of ['index.html', 'public/sandbox.html']) {
    await writeFile(join(folder, name.replace('public/', '')), await readFile(join(ROOT, name)));
  }
  plain = await serveStatic({ folder });
  withApps = await serveStatic({ folder, apps: true });
  const page = await (await fetch(withApps.url)).text();
  origin = /name="apps-origin" content="([^"]+)"/.exec(page)?.[1] ?? '';
});

afterAll(async () => {
  await Promise.all([plain.close(), withApps.close()]);
  await rm(folder, { recursive: true });
});

const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? '';

test('the page may frame the sandbox at its other port, and nothing else', async () => {
  expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
  expect(origin).not.toBe(new URL(withApps.url).origin);
  const response = await fetch(withApps.url);
  expect(policyOf(response)).toContain(`frame-src 'self' ${origin} blob:;`);
  expect(policyOf(response)).toContain("frame-ancestors 'none'");
});

test('the sandbox at the other port serves the page alone, in a process of its own', async () => {
  const response = await fetch(`${origin}/sandbox.html`);
  const { port } = new URL(withApps.url);
  expect(policyOf(response)).toBe(`frame-ancestors http://localhost:${port} http://127.0.0.1:${port}`);
  expect(response.headers.get('origin-agent-cluster')).toBe('?1');
  expect(await response.text()).toContain(
    `<meta name="host-origins" content="http://localhost:${port} http://127.0.0.1:${port}" />`,
  );
});

test.each(['/', '/index.html', '/sw.js', '/../index.html'])(
  'there is no %s at the other port',
  async (path) => {
    expect((await fetch(`${origin}${path}`)).status).toBe(404);
  },
);

test('a static host has no other port, and a sandbox that only it may frame', async () => {
  expect(await (await fetch(plain.url)).text()).not.toContain('apps-origin');
  const response = await fetch(new URL('sandbox.html', plain.url));
  expect(policyOf(response)).toBe("frame-ancestors 'self'");
  expect(response.headers.get('x-frame-options')).toBeNull();
  expect(await response.text()).not.toContain('name="host-origins" content');
});

test('the other port is the same for the same page', () => {
  expect(sandboxPort(4778)).toBe(24_778);
  expect(sandboxPort(60_000)).toBe(40_000);
});

test('the sandbox is of the same site as the page', () => {
  expect(appsOriginAt('127.0.0.1:4778', 1)).toBe('http://127.0.0.1:1');
  expect(appsOriginAt('LOCALHOST:4778', 1)).toBe('http://localhost:1');
  expect(appsOriginAt('[::1]:4778', 1)).toBeUndefined();
});
