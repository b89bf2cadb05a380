// Presentation mode, and the guided demo: by a presenter's remote alone, with no network beyond the page's own host.
import type { Page } from '@playwright/test';
import { expect, test, type Inspector } from './inspector.ts';

test.use({ serviceWorkers: 'allow' });

/** The field for the URL has the focus on a first visit. */
async function present({ page }: Inspector): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Exit', exact: true })).toBeVisible();
}

const says = (page: Page, words: string | RegExp) => expect(page.locator('footer')).toContainText(words);
const rows = (page: Page) => page.getByRole('listbox', { name: 'Calls' }).getByRole('option');

test(
  'the guided demo, by a remote, across two reloads and a restart, and then once more from the beginning',
  { tag: '@long' },
  async ({ inspector }) => {
    const { page } = inspector;
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(page.url()).origin) elsewhere.push(request.url());
    });
    const next = () => page.keyboard.press('PageDown');
    await present(inspector);
    await page.keyboard.press('w');
    await says(page, '1/8');
    await expect(page.getByText('The demo is a real MCP server'), 'notes only when asked for').toBeHidden();
    await page.keyboard.press('m');
    await expect(page.getByText('The demo is a real MCP server')).toBeVisible();
    await next();
    await says(page, '2/8');
    await next();
    await says(page, '3/8');
    await expect(page.getByRole('progressbar', { name: 'countdown progress' })).toBeAttached();
    await page.waitForFunction(() => (window.reprise.calls()[0]?.received ?? 0) >= 4);

    const reloaded = page.waitForEvent('load');
    await next();
    await expect(page.getByRole('status').filter({ hasText: '3' })).toBeVisible();
    await says(page, /^3\/8 .*keeps running/);
    await reloaded;
    await says(page, /^4\/8 New page, same call/);
    await expect(page.getByRole('region', { name: 'Call' })).toContainText(
      /\d missed, \d+ recovered|no events missed/,
    );
    await page.keyboard.press('PageUp');
    await says(page, /^3\/8 The tool sends/);
    await next();
    await says(page, '4/8');
    expect(await page.evaluate(() => window.reprise.calls().length), 'nothing was done twice').toBe(1);

    await next();
    await says(page, '5/8');
    const inbox = page.getByRole('region', { name: 'Inbox' });
    await expect(inbox).toContainText('Continue?');
    const again = page.waitForEvent('load');
    await next();
    await again;
    await says(page, '6/8');
    await expect(inbox).toContainText('Continue?');
    await next();
    await says(page, '7/8');
    await expect(page.getByRole('region', { name: 'Call' })).toContainText('Yes');
    await next();
    await says(page, '8/8');
    await expect(page.getByRole('region', { name: 'Call' })).toContainText('lost');

    await next();
    await says(page, '1/8');
    await expect(page.getByRole('region', { name: 'Call' }), 'the run before is off the screen').toBeHidden();
    await expect(rows(page).filter({ hasText: 'countdown' })).toHaveCount(0);
    await next();
    await says(page, '2/8');
    await next();
    await says(page, '3/8');
    await expect(rows(page).filter({ hasText: 'countdown' })).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('list', { name: 'Tools' })).toBeVisible();
    expect(elsewhere).toEqual([]);
  },
);

test('type grows with the screen, nothing overflows, and a reload can be stopped', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await inspector.call('ask', { question: 'Continue with the deployment of the new version?' });
  await inspector.untilAsked();
  await present(inspector);
  const status = page.getByRole('status').first();
  const sizes: number[] = [];
  const rowSizes: number[] = [];
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [3840, 2160],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(page.getByRole('region', { name: 'Inbox' })).toContainText('Continue');
    await expect
      .poll(() => status.evaluate((element) => parseFloat(getComputedStyle(element).fontSize)))
      .toBeGreaterThan(sizes.at(-1) ?? 0);
    const took = rows(page).first().locator('.status');
    rowSizes.push(await took.evaluate((element) => parseFloat(getComputedStyle(element).fontSize)));
    sizes.push(await status.evaluate((element) => parseFloat(getComputedStyle(element).fontSize)));
    const widths = await page
      .getByRole('region', { name: 'Inbox' })
      .evaluate((element) => [element.scrollWidth, element.clientWidth] as const);
    expect(widths[0], `the form at ${width} pixels`).toBeLessThanOrEqual(widths[1] + 1);
  }
  expect((sizes[2] ?? 0) / (sizes[0] ?? 1), 'in proportion').toBeCloseTo(3, 0);
  expect((rowSizes[2] ?? 0) / (rowSizes[0] ?? 1), 'the rows, too').toBeCloseTo(3, 0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Reload in 3 s' }).click();
  await page
    .getByRole('button', { name: /Cancel$/ })
    .last()
    .click();
  await expect(page.getByRole('button', { name: 'Reload in 3 s' })).toBeVisible();
});
