/** The timeline in a benchmark's page: filled, moved through, filtered. */
import type { Browser, Page } from '@playwright/test';
import { openApp } from './bench.ts';

/** Fills a log by calls of the burst server, up to fifty thousand entries each. */
export async function fillLog(browser: Browser, site: string, url: string, entries: number): Promise<Page> {
  const page = await openApp(browser, site);
  await page.evaluate((address) => window.reprise.connect(address, { name: 'bench' }), url);
  for (let left = entries; left > 0; left -= 50_000) {
    await page.evaluate(
      async (count) => {
        const id = await window.reprise.call('burst', { count });
        while (window.reprise.calls().find((one) => one.id === id)?.settledAt === undefined) {
          await window.reprise.awaitActivity({ timeoutMs: 100 });
        }
      },
      Math.min(left, 50_000),
    );
  }
  await page.evaluate(() => window.reprise.entries('kind:load'));
  return page;
}

/** Loads the page again, and waits until the lanes know the whole log. */
export async function reopen(page: Page): Promise<void> {
  await page.reload();
  await page.waitForFunction(() => 'reprise' in window);
  await page.evaluate(() => window.reprise.ready);
  await showLog(page);
  // A filter is answered when all of the log was looked at.
  await filterBy(page, 'kind:load load:1');
  await filterBy(page, '');
}

/** Every entry instead of the calls, as the tab keeps it. */
async function showLog(page: Page): Promise<void> {
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: 'Log', exact: true }).click();
  const plumbing = timeline.getByRole('button', { name: 'Plumbing', exact: true });
  if ((await plumbing.getAttribute('aria-pressed')) === 'false') await plumbing.click();
  await page.locator('[role=group][aria-label=Lanes] canvas').waitFor();
}

/** Types a filter, and gives the time until its answer stands on the screen. */
export function filterBy(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (filter) =>
      new Promise<number>((resolve, reject) => {
        const region = document.querySelector<HTMLElement>('section[aria-label=Timeline]');
        const input = region?.querySelector<HTMLInputElement>('[role=combobox]');
        const counted = region?.querySelector<HTMLElement>('.count');
        if (!region || !input || !counted) {
          reject(new Error('No timeline.'));
          return;
        }
        const start = performance.now();
        const isAnswered = (): boolean =>
          region.querySelector('.percent') === null &&
          (filter === '' ? !counted.textContent.includes(' of ') : counted.textContent.includes(' of '));
        const look = (): void => {
          if (!isAnswered()) return;
          observer.disconnect();
          resolve(performance.now() - start);
        };
        const observer = new MutationObserver(look);
        observer.observe(region, { subtree: true, childList: true, characterData: true });
        input.value = filter;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        setTimeout(look, 0);
      }),
    text,
  );
}
