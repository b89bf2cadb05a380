// The origin is the boundary: no foreign frame around the page, no other project behind its worker.
import { expect, test } from '@playwright/test';
import { startPlainHost } from './plainHost.ts';

test.use({ serviceWorkers: 'allow' });

const SITE = process.env['REPRISE_SITE'] ?? '';
const OTHER = { '/index.html': '<title>Another project</title><img src="icon.svg" alt="">' };

test('does not start in a frame, and links to a tab of its own', async ({ page }) => {
  const host = await startPlainHost(SITE);
  const embedding = await startPlainHost({ '/index.html': `<iframe src="${host.url}"></iframe>` });
  const sameOrigin = await page.context().newPage();

  await page.goto(embedding.url);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('alert')).toHaveText('Reprise doesn’t run inside another page.');
  const inside = page.frames()[1];
  expect(await inside?.evaluate(() => 'reprise' in window)).toBe(false);
  expect(await inside?.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);

  const opened = page.context().waitForEvent('page');
  await frame.getByRole('link', { name: 'Open Reprise in its own tab' }).click();
  const tab = await opened;
  await expect(tab.getByRole('textbox', { name: 'Server URL' })).toBeVisible();
  expect(await tab.evaluate(() => window.opener === null)).toBe(true);

  // A page of the same origin is no exception.
  await sameOrigin.goto(`${host.url}icon.svg`);
  await sameOrigin.evaluate((url) => {
    const framed = document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe');
    framed.setAttribute('src', url);
    document.documentElement.append(framed);
  }, host.url);
  await expect.poll(() => sameOrigin.frames().length).toBe(2);
  await sameOrigin.frames()[1]?.waitForSelector('[role=alert]', { state: 'attached' });
  expect(await sameOrigin.frames()[1]?.evaluate(() => 'reprise' in window)).toBe(false);
  await embedding.close();
  await host.close();
});

test(
  'another project on the same port shows itself, and Reprise opens without a network until then',
  { tag: '@long' },
  async ({ page }) => {
    const host = await startPlainHost(SITE);
    const port = Number(new URL(host.url).port);
    await page.goto(host.url);
    await page.getByRole('button', { name: 'Open the demo' }).click();
    await expect(page.getByRole('status')).toHaveText('Connected');

    await host.close();
    await page.goto(host.url);
    await expect(page.getByRole('status')).toHaveText(/^(Connected|Reconnected|Server restarted)/);

    const empty = await startPlainHost({}, port);
    await page.goto(host.url);
    await expect(page.getByRole('status')).toHaveText(/^(Connected|Reconnected|Server restarted)/);
    await empty.close();

    const other = await startPlainHost(OTHER, port);
    await page.goto(host.url);
    await expect(page).toHaveTitle('Another project');
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(
      0,
    );
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    expect(await page.evaluate(async () => (await fetch('icon.svg')).status)).toBe(404);
    await page.reload();
    await expect(page).toHaveTitle('Another project');
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
    await other.close();

    // What was stored stays: the port may be lent for a day only.
    const again = await startPlainHost(SITE, port);
    await page.goto(host.url);
    await expect(page.getByRole('status')).toHaveText(/^(Connected|Reconnected|Server restarted)/);
    await again.close();
  },
);
