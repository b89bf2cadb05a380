/** Builds the page of a client in a temporary folder, with packages of its own. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { serveStatic } from '../../../scripts/lib/staticServer.mjs';

export interface BuiltClient {
  readonly url: string;
  close(): Promise<void>;
}

const PAGES = fileURLToPath(new URL('pages', import.meta.url));

export async function buildClient(entry: string, packages: readonly string[]): Promise<BuiltClient> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-client-'));
  await cp(PAGES, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const args = [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--legacy-peer-deps',
    ...packages,
  ];
  await promisify(execFile)('npm', args, { cwd: folder });
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Client</title><body><script type="module" src="./${entry}"></script>`,
  );
  const outDir = join(folder, 'dist');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    base: './',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir, target: 'es2022', minify: false },
  });
  const site = await serveStatic({ folder: outDir });
  return {
    url: site.url,
    close: async () => {
      await site.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
