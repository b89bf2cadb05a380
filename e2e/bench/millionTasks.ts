/** A log of a million entries that is opened, filtered, jumped through and followed: the longest task of the page's thread. */
import type { Browser, Page } from '@playwright/test';
import type { Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';
import { fillLog, filterBy, reopen } from './timelinePage.ts';

/** One burst less than the million, after which the oldest tenth is removed. */
const ENTRIES = 950_000;
const FOLLOWED = 1000;

export async function measureMillionTasks(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const page = await fillLog(browser, site, server.url, ENTRIES);
  try {
    await page.addInitScript(watchTasks);
    const longest: Record<string, number> = {};
    await reopen(page);
    longest['opened'] = await longestTask(page);
    await filterBy(page, 'method:progress "step 4242 "');
    await filterBy(page, '');
    longest['filtered'] = await longestTask(page);
    for (const key of ['Home', 'End', 'Home', 'End']) await jump(page, key);
    longest['jumped through'] = await longestTask(page);
    await follow(page);
    longest['followed'] = await longestTask(page);
    return [
      {
        name: 'longestTaskOfMillionMs',
        value: Math.max(...Object.values(longest)),
        limit: 50,
        detail: `the longest task with ${ENTRIES} entries: ${Object.entries(longest)
          .map(([what, ms]) => `${what} ${ms === 0 ? 'below 50' : ms.toFixed(0)}`)
          .join(', ')}`,
      },
    ];
  } finally {
    await page.context().close();
    await server.close();
  }
}

/** A browser tells of tasks above 50 ms only. */
function watchTasks(): void {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** Since it was asked last. */
function longestTask(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // The observer is told of a task after it.
    for (let i = 0; i < 3; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return Math.max(0, ...window.longTasks.splice(0));
  });
}

async function jump(page: Page, key: string): Promise<void> {
  const entries = page.getByRole('listbox', { name: 'Entries' });
  await entries.focus();
  await page.keyboard.press(key);
  const edge = key === 'Home' ? entries.getByRole('option').first() : entries.getByRole('option').last();
  await edge.and(page.locator('[aria-selected=true]')).waitFor();
}

async function follow(page: Page): Promise<void> {
  await page.evaluate(async (count) => {
    const id = await window.reprise.call('burst', { count });
    while (window.reprise.calls().find((one) => one.id === id)?.settledAt === undefined) {
      await window.reprise.awaitActivity({ timeoutMs: 100 });
    }
  }, FOLLOWED);
}
