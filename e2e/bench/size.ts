/**
 * How much JavaScript a first visit loads, and how much there is once a server's tools are shown. A browser loads the
 * built site, so that everything counts that is loaded without a click, however it is loaded.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { startTarget } from '../../targets/startTarget.ts';
import type { Measure } from './bench.ts';

/** A part that is not asked for in this time after the last one is not loaded by itself. */
const QUIET_MS = 1500;

export async function measureSize(
  browser: Browser,
  site: string,
  folder: string,
): Promise<readonly Measure[]> {
  const target = await startTarget('resumable');
  const context = await browser.newContext();
  const page = await context.newPage();
  const scripts = watchScripts(page, site);
  try {
    await page.goto(site);
    await page.getByRole('button', { name: 'Connect' }).first().waitFor();
    await scripts.quiet();
    const initial = await sizeOf(folder, scripts.names);
    await page.getByRole('textbox', { name: 'Server URL' }).fill(target.url);
    await page.getByRole('button', { name: 'Connect' }).first().click();
    await page.getByRole('list', { name: 'Tools' }).getByRole('button').first().waitFor();
    await scripts.quiet();
    const connected = await sizeOf(folder, scripts.names);
    return [
      {
        name: 'initialJsKB',
        value: initial.sizeKB,
        limit: 107,
        detail: `gzipped, ${initial.says}, with nothing stored`,
      },
      {
        name: 'connectedJsKB',
        value: connected.sizeKB,
        limit: 199,
        detail: `gzipped, ${connected.says}, when a server’s tools are shown`,
      },
    ];
  } finally {
    await context.close();
    await target.close();
  }
}

interface Scripts {
  readonly names: ReadonlySet<string>;
  quiet(): Promise<void>;
}

function watchScripts(page: Page, site: string): Scripts {
  const names = new Set<string>();
  let lastAt = Date.now();
  page.context().on('request', (request) => {
    const url = request.url();
    // A service worker comes after the page, for the next one; its own requests are of the whole site.
    if (!url.startsWith(site) || !/\.js$/.test(url) || request.serviceWorker() || url.endsWith('/sw.js'))
      return;
    names.add(url.slice(site.length));
    lastAt = Date.now();
  });
  return {
    names,
    async quiet() {
      while (Date.now() - lastAt < QUIET_MS) await page.waitForTimeout(QUIET_MS / 10);
    },
  };
}

async function sizeOf(folder: string, names: ReadonlySet<string>): Promise<{ sizeKB: number; says: string }> {
  const sizes = await Promise.all(
    [...names].map(async (name) => gzipSync(await readFile(join(folder, name))).length),
  );
  return { sizeKB: sizes.reduce((sum, size) => sum + size, 0) / 1000, says: `${sizes.length} scripts` };
}
