import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { build } from 'vite';
import { ROOT } from '../lib/paths.mjs';
import { appsOrigin } from './appsOrigin.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'reprise-apps-'));
  await mkdir(join(root, 'public'));
  const policy = '<meta http-equiv="Content-Security-Policy" content="frame-src \'self\' blob:" />';
  await writeFile(join(root, 'index.html'), `<html><head>${policy}<title>Reprise</title></head></html>`);
  await writeFile(join(root, 'public/sandbox.html'), await readFile(join(ROOT, 'public/sandbox.html')));
});

afterEach(() => rm(root, { recursive: true }));

const read = (name: string) => readFile(join(root, 'dist', name), 'utf8');
const buildWith = (plugin: ReturnType<typeof appsOrigin>) =>
  build({ root, configFile: false, logLevel: 'silent', plugins: [plugin] });

test('a site with an apps origin may frame it, and its sandbox serves that site alone', async () => {
  await buildWith(appsOrigin('https://*.apps.example', 'https://tools.example/reprise/'));
  expect(await read('index.html')).toContain("frame-src 'self' https://*.apps.example blob:");
  expect(await read('index.html')).toContain('<meta name="apps-origin" content="https://*.apps.example"');
  expect(await read('sandbox.html')).toContain('<meta name="host-origins" content="https://tools.example"');
});

test('a site without one has a sandbox that serves no page outside of an opaque frame', async () => {
  await buildWith(appsOrigin(undefined, undefined));
  expect(await read('index.html')).not.toContain('apps-origin');
  expect(await read('sandbox.html')).not.toContain('content="http');
});

test.each([
  ['https://apps.example/path', 'https://tools.example/', 'must be an origin'],
  ['https://apps.example', undefined, 'requires REPRISE_PUBLIC_URL'],
  ['https://tools.example', 'https://tools.example/', 'must differ'],
])('the apps origin %s of a page at %s is refused', (origin, publicUrl, why) => {
  expect(() => appsOrigin(origin, publicUrl)).toThrow(why);
});
