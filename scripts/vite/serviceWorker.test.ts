import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build, createServer, type InlineConfig } from 'vite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serviceWorker } from './serviceWorker.ts';

let root: string;
const write = (path: string, source: string) => writeFile(join(root, path), source);
const config = (): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'silent',
  base: './',
  plugins: [serviceWorker({ entry: 'src/worker.ts', fileName: 'sw.js' })],
});

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'reprise-sw-')));
  await mkdir(join(root, 'src'));
  await write('index.html', '<script type="module" src="/src/main.ts"></script>');
  await write('src/main.ts', "document.title = 'page';");
  await write(
    'src/worker.ts',
    "import { word } from './word.ts'; void import('./later.ts'); self.name = word + JSON.stringify(__REPRISE_SITE__); export { word };",
  );
  await write('src/word.ts', "export const word: string = 'first';");
  await write('src/later.ts', "self.name = 'later';");
});

afterEach(() => rm(root, { recursive: true }));

test('builds one classic script at the root of the site, whatever it imports', async () => {
  await build(config());
  const code = await readFile(join(root, 'dist', 'sw.js'), 'utf8');
  expect(code).toContain('first');
  expect(code).toContain('later');
  // Only a classic script parses here: no import, no export, no import.meta.
  expect(() => new Script(code)).not.toThrow();
  const [asset] = await readdir(join(root, 'dist', 'assets'));
  expect(code, 'it knows the files of the site').toContain(`assets/${asset ?? ''}`);
});

test('carries the version below which pages must update, and takes only a version for it', async () => {
  const options = { entry: 'src/worker.ts', fileName: 'sw.js' };
  await build({ ...config(), plugins: [serviceWorker({ ...options, requiredBelow: '0.2.1' })] });
  expect(await readFile(join(root, 'dist', 'sw.js'), 'utf8')).toMatch(/requiredBelow\W+0\.2\.1/);
  expect(() => serviceWorker({ ...options, requiredBelow: 'yes' })).toThrow('must look like 1.2.3');
});

test('is another one when only the page, or a file that is copied, has changed', async () => {
  const built = async () => {
    await build(config());
    return readFile(join(root, 'dist', 'sw.js'), 'utf8');
  };
  await mkdir(join(root, 'public'));
  await write('public/icon.svg', '<svg/>');
  const first = await built();
  expect(await built()).toBe(first);
  await write('public/icon.svg', '<svg></svg>');
  const second = await built();
  expect(second).not.toBe(first);
  await write('index.html', '<title>New</title><script type="module" src="/src/main.ts"></script>');
  expect(await built()).not.toBe(second);
});

test('the dev server serves it, and builds it again when one of its sources changes', async () => {
  const server = await createServer({ ...config(), server: { port: 0, host: '127.0.0.1' } });
  try {
    await server.listen();
    const address = new URL('sw.js', server.resolvedUrls?.local[0]);
    const load = async () => (await fetch(address)).text();
    expect(await load()).toContain('first');
    await write('src/word.ts', "export const word: string = 'second';");
    await vi.waitFor(async () => expect(await load()).toContain('second'), {
      timeout: 30_000,
      interval: 100,
    });
  } finally {
    await server.close();
  }
});

test('the dev server recovers from a worker that could not be built', async () => {
  const server = await createServer({ ...config(), server: { port: 0, host: '127.0.0.1' } });
  try {
    await server.listen();
    const address = new URL('sw.js', server.resolvedUrls?.local[0]);
    await write('src/word.ts', 'export const word = ;');
    expect((await fetch(address)).status).toBe(500);
    await write('src/word.ts', "export const word: string = 'repaired';");
    await vi.waitFor(async () => expect(await (await fetch(address)).text()).toContain('repaired'), {
      timeout: 30_000,
      interval: 100,
    });
  } finally {
    await server.close();
  }
});
