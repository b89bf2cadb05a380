import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './paths.mjs';
import { appsOriginAt, Sandboxes, sandboxPort } from './sandboxServer.mjs';
import { serveStatic, type StaticServer } from './staticServer.mjs';

let folder: string;
let plain: StaticServer;
let withApps: StaticServer;
/** Of the sandbox of one server. */
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reprise-sandbox-'));
  for (const name of ['index.html', 'public/sandbox.html']) {
    await writeFile(join(folder, name.replace('public/', '')), await readFile(join(ROOT, name)));
  }
  plain = await serveStatic({ folder });
  withApps = await serveStatic({ folder, apps: true });
  origin = await originOf('app-one');
});

afterAll(async () => {
  await Promise.all([plain.close(), withApps.close()]);
  await rm(folder, { recursive: true });
});

/** As the page asks for it. */
async function originOf(label: string, site = 'same-origin', taken = ''): Promise<string> {
  const url = new URL(`sandbox-origin?server=${label}&taken=${taken}`, withApps.url);
  const response = await fetch(url, { headers: { 'sec-fetch-site': site } });
  return response.ok ? ((await response.json()) as { origin: string }).origin : `HTTP ${response.status}`;
}

const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? '';

test('the page may frame the sandboxes at other ports of its host, and nothing else', async () => {
  const response = await fetch(withApps.url);
  expect(policyOf(response)).toContain("frame-src 'self' http://localhost:* blob:;");
  expect(policyOf(response)).toContain("frame-ancestors 'none'");
  expect(await response.text()).toContain('<meta name="apps-origin" content="http://localhost:*" />');
});

test('each server has an origin of its own, and the same one each time', async () => {
  expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
  expect(origin).not.toBe(new URL(withApps.url).origin);
  expect(await originOf('app-two')).not.toBe(origin);
  expect(await originOf('app-one')).toBe(origin);
});

test('a port that the page gave to another server is passed over', async () => {
  const own = sandboxPort(Number(new URL(withApps.url).port), 'app-three');
  const taken = `${own},${own + 1}`;
  expect(Number(new URL(await originOf('app-three', 'same-origin', taken)).port)).toBeGreaterThan(own + 1);
});

test('of too many sandboxes the oldest is closed, and has its port again when it’s asked for', async () => {
  const sandboxes = new Sandboxes(folder, 4780, 2);
  const statusAt = (port = 0) =>
    fetch(`http://localhost:${port}/sandbox.html`).then(
      ({ status }) => status,
      () => 'closed',
    );
  try {
    const first = await sandboxes.portOf('app-one');
    await sandboxes.portOf('app-two');
    const third = await sandboxes.portOf('app-three');
    expect(await Promise.all([first, third].map(statusAt))).toEqual(['closed', 200]);
    expect(await sandboxes.portOf('app-one')).toBe(first);
    expect(await Promise.all([first, third].map(statusAt))).toEqual([200, 200]);
  } finally {
    await sandboxes.close();
  }
});

test('a port that another program has is passed over', async () => {
  const one = new Sandboxes(folder, 4778);
  const other = new Sandboxes(folder, 4778);
  try {
    const port = (await one.portOf('app-one')) ?? 0;
    expect(await other.portOf('app-one')).toBeGreaterThan(port);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

test.each([
  ['another page', 'app-one', 'cross-site'],
  ['another port of this machine', 'app-one', 'same-site'],
  ['a name that no page makes', '..', 'same-origin'],
])('%s gets no sandbox', async (_, label, site) => {
  expect(await originOf(label, site)).toBe('HTTP 404');
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

test('the other port is the same for the same page and server', () => {
  expect(sandboxPort(4778, 'app-one')).toBe(sandboxPort(4778, 'app-one'));
  expect(sandboxPort(4778, 'app-one')).not.toBe(sandboxPort(4779, 'app-one'));
});

test('the sandbox is of the same site as the page', () => {
  expect(appsOriginAt('127.0.0.1:4778', 1)).toBe('http://127.0.0.1:1');
  expect(appsOriginAt('LOCALHOST:4778', 1)).toBe('http://localhost:1');
  expect(appsOriginAt('[::1]:4778', 1)).toBeUndefined();
});
