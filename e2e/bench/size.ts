/**
 * How much JavaScript a first visit loads, and how much there is once a server's tools are shown. A browser loads the
 * built site, so that everything counts that is loaded without a click, however it is loaded.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Request } from '@playwright/test';
import { startTarget } from '../../targets/startTarget.ts';
import type { Measure } from './bench.ts';

/** A page that has been idle so often since the last response asks for nothing more by itself. */
const IDLE_MOMENTS = 5;

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
    await scripts.settled();
    const initial = await sizeOf(folder, scripts.names);
    await page.getByRole('textbox', { name: 'Server URL' }).fill(target.url);
    await page.getByRole('button', { name: 'Connect' }).first().click();
    await page.getByRole('list', { name: 'Tools' }).getByRole('button').first().waitFor();
    await scripts.settled();
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
  /** Resolves when everything has come that is loaded without a click. */
  settled(): Promise<void>;
}

function watchScripts(page: Page, site: string): Scripts {
  const names = new Set<string>();
  const open = new Set<Request>();
  let asked = 0;
  let onEnd: (() => void) | undefined;
  const context = page.context();
  context.on('request', (request) => {
    const url = request.url();
    // A service worker comes after the page, for the next one; its own requests are of the whole site.
    if (request.serviceWorker() || url.endsWith('/sw.js')) return;
    asked += 1;
    // The stream of a session stays open.
    if (request.headers()['accept'] !== 'text/event-stream') open.add(request);
    if (url.startsWith(site) && /\.js$/.test(url)) names.add(url.slice(site.length));
  });
  const end = (request: Request): void => {
    open.delete(request);
    onEnd?.();
  };
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  const ended = async (): Promise<void> => {
    while (open.size > 0) await new Promise<void>((resolve) => (onEnd = resolve));
  };
  return {
    names,
    async settled() {
      for (let [moments, before] = [0, asked]; moments < IDLE_MOMENTS; moments += 1) {
        await ended();
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
        if (asked > before) [moments, before] = [0, asked];
      }
    },
  };
}

async function sizeOf(folder: string, names: ReadonlySet<string>): Promise<{ sizeKB: number; says: string }> {
  const sizes = await Promise.all(
    [...names].map(async (name) => gzipSync(await readFile(join(folder, name))).length),
  );
  return { sizeKB: sizes.reduce((sum, size) => sum + size, 0) / 1000, says: `${sizes.length} scripts` };
}
