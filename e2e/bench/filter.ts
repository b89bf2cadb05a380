/** A filter over 100,000 entries against `Array.filter` over their messages, parsed and in memory. */
import type { Browser, Page } from '@playwright/test';
import { median, type Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';
import { fillLog, filterBy, reopen } from './timelinePage.ts';

const COUNT = 100_000;
const ROUNDS = 5;
const TYPED_EVERY_MS = 40;
const WORD = 'step 4242 ';

export async function measureFilter(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const page = await fillLog(browser, site, server.url, COUNT);
  await reopen(page);
  const times = { plain: [] as number[], kept: [] as number[], keys: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const kept = await filterBy(page, `method:progress "${WORD}"`);
    await filterBy(page, '');
    const keys = await filterBy(page, 'method:progress replayed:false');
    await filterBy(page, '');
    const plain = await filterPlainly(page);
    // The first round warms up the compiler, for both sides.
    if (round === 0) continue;
    times.kept.push(kept);
    times.keys.push(keys);
    times.plain.push(plain);
  }
  const longest = await typeQuickly(page, `method:progress "${WORD}" /step \\d+ of/`);
  await page.context().close();
  await server.close();
  return [
    {
      name: 'filter',
      value: median(times.kept) / median(times.plain),
      limit: 10,
      detail: `text in ${COUNT} stored entries found in ${median(times.kept).toFixed(0)} ms, by Array.filter on parsed messages in ${median(times.plain).toFixed(0)} ms`,
    },
    {
      name: 'filterKeys',
      value: median(times.keys) / median(times.plain),
      limit: 10,
      detail: `${median(times.keys).toFixed(0)} ms where no text is asked for`,
    },
    {
      name: 'typingTaskMs',
      value: longest,
      limit: 100,
      detail: `the longest task while a filter over ${COUNT} entries is typed, a letter every ${TYPED_EVERY_MS} ms`,
    },
  ];
}

/** Letter by letter, faster than each of them is answered; gives the longest task until the last one is. */
async function typeQuickly(page: Page, text: string): Promise<number> {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  await page.getByRole('combobox', { name: 'Filter entries' }).pressSequentially(text, {
    delay: TYPED_EVERY_MS,
  });
  await page.locator('section[aria-label=Timeline] .percent').waitFor({ state: 'detached' });
  return page.evaluate(() => Math.max(0, ...window.longTasks));
}

function filterPlainly(page: Page): Promise<number> {
  return page.evaluate(async (word) => {
    const entries = await window.reprise.entries();
    const messages = entries.flatMap(({ message }) => message ?? []) as { method?: string }[];
    const start = performance.now();
    const found = messages.filter(
      (message) =>
        message.method?.includes('progress') === true && JSON.stringify(message).toLowerCase().includes(word),
    );
    if (found.length === 0) throw new Error('No matches.');
    return performance.now() - start;
  }, WORD);
}
