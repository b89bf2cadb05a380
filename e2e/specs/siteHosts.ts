/** The three ways in which the site reaches a browser: its own server, a static host's subfolder, the dev server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { commandOf, ROOT } from '../../scripts/lib/paths.mjs';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';

interface Hosts {
  /** Nothing but files, under `/tools/my reprise/`. */
  readonly subfolder: string;
  /** `npm run dev` */
  readonly dev: string;
  /** A page and nothing else. */
  readonly withoutWorker: string;
}

export const test = base.extend<object, Hosts>({
  subfolder: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
    async ({}, use) => {
      const folder = process.env['REPRISE_SITE'];
      if (folder === undefined) throw new Error('REPRISE_SITE is set by playwright.config.ts.');
      const server = await serveStatic({ folder, base: '/tools/my reprise/' });
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],

  dev: [
    // eslint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const port = await freePort();
      const args = [commandOf('vite'), '--host', '127.0.0.1', '--port', String(port), '--strictPort'];
      const vite = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
      const url = `http://127.0.0.1:${port}/`;
      await expect(async () => expect((await fetch(url)).status).toBe(200)).toPass({ timeout: 30_000 });
      await use(url);
      vite.kill();
      await once(vite, 'exit');
    },
    { scope: 'worker' },
  ],

  withoutWorker: [
    // eslint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'reprise-bare-'));
      await writeFile(join(folder, 'index.html'), '<title>Reprise</title>');
      const server = await serveStatic({ folder });
      await use(server.url);
      await server.close();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});
