/** A log of 1,000,000 entries against one of 10,000: the heap after both were opened, scrolled and filtered, and the frames of the large one. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { VERSION } from '../../src/log/entry/entry.ts';
import { openApp, type Measure } from './bench.ts';
import { moveAbout } from './drawing.ts';
import { filterBy, reopen } from './timelinePage.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const IMPORT_TIMEOUT_MS = 300_000;

export async function measureMillion(browser: Browser, site: string): Promise<readonly Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-million-'));
  try {
    const { heap: few } = await openedWith(browser, site, folder, FEW);
    const { heap: many, longestFrameMs } = await openedWith(browser, site, folder, MANY);
    return [
      {
        name: 'heapOfMillion',
        value: many / few,
        limit: 3,
        detail: `${mb(many)} MB with ${MANY} entries, ${mb(few)} MB with ${FEW}, buffers included`,
      },
      {
        name: 'longestFrameOfMillionMs',
        value: longestFrameMs,
        limit: 50,
        detail: `the longest frame while the lanes of ${MANY} entries are zoomed and moved, and its table is scrolled`,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);

interface Opened {
  readonly heap: number;
  readonly longestFrameMs: number;
}

async function openedWith(browser: Browser, site: string, folder: string, entries: number): Promise<Opened> {
  const path = join(folder, `${entries}.json`);
  await writeLog(path, entries);
  const page = await openApp(browser, site);
  // The dialog that imports belongs to a timeline, and so to a server.
  await page.evaluate(() => window.reprise.connect('http://127.0.0.1:9/mcp', { name: 'nobody' }));
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export and import' });
  await dialog.getByLabel('Open a Reprise log').setInputFiles(path);
  await dialog.waitFor({ state: 'detached', timeout: IMPORT_TIMEOUT_MS });
  await reopen(page);
  const heaps = [await heapOf(page)];
  for (const share of [0, 0.3, 0.6, 0.9, 0.1]) await scrollTo(page, share);
  heaps.push(await heapOf(page));
  await filterBy(page, 'method:progress "step 4242 "');
  heaps.push(await heapOf(page));
  await filterBy(page, '');
  // The first round warms up the compiler.
  await moveAbout(page);
  const longestFrameMs = Math.max(...(await moveAbout(page)));
  await page.context().close();
  return { heap: Math.max(...heaps), longestFrameMs };
}

async function scrollTo(page: Page, share: number): Promise<void> {
  await page.evaluate((at) => {
    const list = document.querySelector<HTMLElement>('[role=listbox][aria-label=Entries]');
    if (list) list.scrollTop = list.scrollHeight * at;
  }, share);
  await page.waitForFunction(
    () => !document.querySelector('[role=listbox][aria-label=Entries]')?.textContent.includes('loading…'),
  );
}

/** What is in use after everything was let go of that can be. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const usage = (await devtools.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    backingStorageSize?: number;
  };
  await devtools.detach();
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}

/** A log as somebody exported it: one call with a burst of progress. */
async function writeLog(path: string, entries: number): Promise<void> {
  const call = '0'.repeat(26);
  const file = createWriteStream(path);
  const stamp = (seq: number) => ({ seq, at: 1_700_000_000_000 + seq, load: 1, server: 'bench' });
  const head = { format: 'reprise-log', version: VERSION, server: 'bench', url: 'http://127.0.0.1:9/mcp' };
  file.write(`${JSON.stringify(head).slice(0, -1)},"entries":[\n`);
  file.write(JSON.stringify({ ...stamp(1), kind: 'load', reason: 'opened' }));
  for (let seq = 2; seq <= entries; seq += 1) {
    const params = { progressToken: call, progress: seq, message: `step ${seq} of ${entries}` };
    const message = { jsonrpc: '2.0', method: 'notifications/progress', params };
    const entry = {
      ...stamp(seq),
      kind: 'received',
      stream: call,
      callId: call,
      method: 'notifications/progress',
      eventId: String(seq),
      message,
    };
    if (!file.write(`,\n${JSON.stringify(entry)}`)) await once(file, 'drain');
  }
  file.end(']}');
  await once(file, 'finish');
}
