import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headersFile, nginxConf, writeHostFiles } from './hostFiles.mjs';
import { ROOT } from './paths.mjs';
import { headersIn, sandboxHeaders } from './siteHeaders.mjs';

const CODE = 'export const word = "reprise";\n'.repeat(200);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reprise-host-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), await readFile(join(ROOT, 'index.html')));
  await writeFile(join(folder, 'assets/app.js'), CODE);
  await writeFile(join(folder, 'assets/small.js'), 'export {};');
  await writeFile(join(folder, 'picture.png'), CODE);
  await writeHostFiles(folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('compresses text of some size, and nothing else', async () => {
  expect(
    (await readdir(folder, { recursive: true })).filter((name) => /\.(gz|br)$/.test(name)).toSorted(),
  ).toEqual(
    ['assets/app.js.br', 'assets/app.js.gz', 'index.html.br', 'index.html.gz'].map((name) => join(name)),
  );
  expect(gunzipSync(await readFile(join(folder, 'assets/app.js.gz'))).toString()).toBe(CODE);
  expect(brotliDecompressSync(await readFile(join(folder, 'assets/app.js.br'))).toString()).toBe(CODE);
});

test('has the headers of the local server, with the policy of the page', async () => {
  const headers = await headersIn(folder);
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  const written = await readFile(join(folder, '_headers'), 'utf8');
  const nginx = await readFile(join(folder, 'nginx.conf.example'), 'utf8');
  for (const [name, value] of Object.entries(headers)) {
    expect(written).toContain(`\n  ${name}: ${value}\n`);
    // The sandbox has some of them too.
    expect(nginx.split(`  add_header ${name} "${value}" always;\n`).length).toBeGreaterThanOrEqual(3);
  }
});

test('no two rules of a file set the same header, because some hosts join them', () => {
  const rules = headersFile({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' }).split('\n\n');
  expect(rules[0]).toBe('/*\n  referrer-policy: no-referrer');
  expect(rules.filter((rule) => rule.includes('cache-control')).map((rule) => rule.split('\n')[0])).toEqual([
    '/assets/*',
    '/',
    '/index.html',
    '/sw.js',
    '/sandbox.html',
  ]);
});

test('only the sandbox of MCP Apps may be framed, by the site itself', () => {
  const rules = headersFile({
    'content-security-policy': "frame-ancestors 'none'",
    'x-frame-options': 'DENY',
  });
  const sandbox = rules.split('\n\n').find((rule) => rule.startsWith('/sandbox.html'));
  expect(sandbox).toContain("content-security-policy: frame-ancestors 'self'");
  expect(sandbox).not.toContain('x-frame-options');
  expect(rules.split("frame-ancestors 'none'")).toHaveLength(5);
});

test('the sandbox has all of its headers, so that a view that never yields stops only itself', async () => {
  const rules = headersFile(await headersIn(folder)).split('\n\n');
  const found = rules.filter((rule) => /^(\/\*|\/sandbox\.html)\n/.test(rule)).join('\n');
  for (const [name, value] of Object.entries(sandboxHeaders())) {
    expect(found.split(`\n  ${name}: ${value}`)).toHaveLength(2);
  }
});

test('nginx gets one statement on each line, with its braces closed', () => {
  const lines = nginxConf({ a: "x 'self'; y" })
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.filter((line) => !/[;{}]$/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.endsWith('{')).length).toBe(lines.filter((line) => line === '}').length);
});
