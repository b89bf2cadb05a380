/** The three ways in which the site reaches a browser: its own server, a static host's subfolder, the dev server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';

interface Hosts {
  /** Nothing but files, under `/tools/my reprise/`. */
  readonly subfolder: string;
  /** What `npm run dev` starts. */
  readonly dev: string;
  /** A page and nothing else. */
  readonly withoutWorker: string;
}

export const test = base.extend<Hosts>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  subfolder: async ({}, use) => {
    const folder = process.env['REPRISE_SITE'];
    if (folder === undefined) throw new Error('REPRISE_SITE is set by playwright.config.ts.');
    const server = await serveStatic({ folder, base: '/tools/my reprise/' });
    await use(server.url);
    await server.close();
  },

  // eslint-disable-next-line no-empty-pattern -- as above
  dev: async ({}, use) => {
    const cacheDir = await mkdtemp(join(tmpdir(), 'reprise-vite-'));
    const { createServer } = await import('vite');
    const vite = await createServer({
      root: ROOT,
      cacheDir,
      logLevel: 'error',
      // Whoever edits a file during a test run must not reload the page under test.
      server: { host: '127.0.0.1', port: 0, hmr: false },
    });
    await vite.listen();
    await use(vite.resolvedUrls?.local[0] ?? '');
    await vite.close();
    await rm(cacheDir, { recursive: true });
  },

  // eslint-disable-next-line no-empty-pattern -- as above
  withoutWorker: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-bare-'));
    await writeFile(join(folder, 'index.html'), '<title>Reprise</title>');
    const server = await serveStatic({ folder });
    await use(server.url);
    await server.close();
    await rm(folder, { recursive: true });
  },
});
