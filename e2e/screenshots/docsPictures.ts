/** The pictures of the README and the docs. */
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import { makeReloadPicture } from './reloadPicture.ts';
import { STAGE_VIEWS } from './views.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export async function makeDocsPictures(browser: Browser, siteUrl: string): Promise<void> {
  await makeReloadPicture(browser, siteUrl, here('reload.webp'));

  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });
  await page.goto(siteUrl);
  await page.getByRole('button', { name: 'Open the demo' }).click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'countdown' }).click();
  await page.getByLabel('ticks').fill('60');
  // Often enough that a reload misses some, however quick it is.
  await page.getByLabel('intervalMs').fill('100');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await page.waitForFunction(() => (window.reprise.calls()[0]?.received ?? 0) >= 40);
  await page.reload();
  await page.waitForFunction(() => (window.reprise.calls()[0]?.received ?? 0) >= 70);
  await page.screenshot({ path: here('after-reload.png') });

  await page.waitForFunction(() => window.reprise.calls()[0]?.settledAt !== undefined);
  await page.evaluate(() => window.reprise.call('ask', { question: 'Deploy to production?' }));
  await page.getByRole('region', { name: 'Inbox' }).getByRole('textbox').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.getByRole('region', { name: 'Inbox' }).getByRole('textbox').fill('Yes, after lunch');
  await page.screenshot({ path: here('question-dark.png') });

  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Submit' }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: 'Log', exact: true }).click();
  await page.getByRole('heading', { name: 'Reprise' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('replayed:true ');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Reprise' }).click();
  await page.keyboard.press('j');
  await page.getByLabel('Filter entries').fill('');
  await page.getByRole('complementary', { name: 'Entry' }).getByText('Related entries').waitFor();
  await page.getByRole('heading', { name: 'Reprise' }).click();
  await page.screenshot({ path: here('timeline.png') });

  // A visit of its own, so that the room sees one call.
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });
  const stage = await context.newPage();
  await stage.goto(siteUrl);
  for (const { show } of STAGE_VIEWS) await show(stage);
  // The missed ticks have arrived, and the call goes on.
  await stage.waitForFunction(() => (window.reprise.calls()[0]?.received ?? 0) >= 28);
  await stage.screenshot({ path: here('stage.png') });
  await context.close();
}
