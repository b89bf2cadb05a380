/** A reload with 100,000 stored entries against one with 1,000: until the status and the last result are painted. */
import type { Browser, Page } from '@playwright/test';
import { median, type Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';
import { fillLog } from './timelinePage.ts';

const FEW = 1000;
const MANY = 100_000;
const ROUNDS = 9;

export async function measureReload(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const few = await fill(browser, site, server.url, FEW);
  const many = await fill(browser, site, server.url, MANY);
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.few.push(await reload(few));
    times.many.push(await reload(many));
  }
  await Promise.all([few.context().close(), many.context().close()]);
  await server.close();
  return [
    {
      name: 'reloadFull',
      value: median(times.many) / median(times.few),
      limit: 1.5,
      detail: `painted after ${median(times.many).toFixed(0)} ms with ${MANY} stored entries, ${median(times.few).toFixed(0)} ms with ${FEW}`,
    },
  ];
}

async function fill(browser: Browser, site: string, url: string, entries: number): Promise<Page> {
  const page = await fillLog(browser, site, url, entries);
  await page.addInitScript(watchPaint);
  return page;
}

declare global {
  interface Window {
    paintedAt?: number;
  }
}

/** Runs in the page before its scripts: notes the first frame that shows the status and the last result. */
function watchPaint(): void {
  const look = (): void => {
    const status = document.querySelector('[role=status]')?.textContent ?? '';
    const result = [...document.querySelectorAll('section, [role=region]')].find(
      (one) =>
        one.getAttribute('aria-label') === 'Result' || one.querySelector('h2, h3')?.textContent === 'Result',
    );
    if (status.trim() !== '' && result?.textContent.includes('sent ') === true)
      window.paintedAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function reload(page: Page): Promise<number> {
  await page.reload();
  await page.waitForFunction(() => window.paintedAt !== undefined);
  const paintedAt = await page.evaluate(() => window.paintedAt ?? NaN);
  await page.evaluate(() => window.reprise.ready);
  return paintedAt;
}
