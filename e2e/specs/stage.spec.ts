// The stage, and the walk through the demo: by keyboard alone, with no network beyond the page's own host.
import { expect, test } from './inspector.ts';

test(
  'the walk through the demo, by one key, across two reloads and a restart',
  { tag: '@long' },
  async ({ inspector }) => {
    test.setTimeout(120_000);
    const { page } = inspector;
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(page.url()).origin) elsewhere.push(request.url());
    });
    const says = (words: string | RegExp) =>
      expect(page.locator('footer')).toContainText(words, { timeout: 20_000 });
    const next = () => page.keyboard.press('Space');

    await page.keyboard.press('s');
    await expect(page.getByRole('button', { name: 'Exit' })).toBeVisible();
    await page.keyboard.press('w');
    await says('1/8');
    await expect(page.getByText('The demo is a real MCP server'), 'notes only when asked for').toBeHidden();
    await page.keyboard.press('m');
    await expect(page.getByText('The demo is a real MCP server')).toBeVisible();
    await next();
    await says('2/8');
    await expect(page.getByRole('status').first()).toHaveText('Connected');
    await next();
    await says('3/8');
    await expect(page.getByRole('progressbar', { name: 'countdown progress' })).toBeVisible();
    await page.waitForFunction(() => (window.reprise.calls()[0]?.received ?? 0) >= 4);

    const reloaded = page.waitForEvent('load');
    await next();
    await expect(page.getByRole('status').filter({ hasText: '3' })).toBeVisible();
    await reloaded;
    await says('4/8');
    await expect(page.getByText(/^(\d+ events? missed, \d+ recovered|Reconnected)$/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Timeline' }).getByText(/^countdown/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Exit' }), 'the stage is still there').toBeVisible();
    await next();
    await says('5/8');
    const inbox = page.getByRole('region', { name: 'Inbox' });
    await expect(inbox).toContainText('Continue?');
    const again = page.waitForEvent('load');
    await next();
    await again;
    await says('6/8');
    await expect(inbox).toContainText('Continue?');
    await next();
    await says('7/8');
    await expect(page.getByRole('region', { name: 'Call' })).toContainText('Yes');
    await next();
    await says('8/8');
    await expect(page.getByRole('status').first()).toContainText('Server restarted');
    await expect(page.getByRole('region', { name: 'Call' })).toContainText('lost');
    await next();
    await says('1/8');
    await page.keyboard.press('s');
    await expect(page.getByRole('list', { name: 'Tools' })).toBeVisible();
    expect(elsewhere).toEqual([]);
  },
);

test('a room can read it: large type, and a reload that can be stopped', async ({ inspector, target }) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await page.keyboard.press('s');
  const size = await page
    .getByRole('status')
    .first()
    .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  expect(size).toBeGreaterThanOrEqual(28);
  await page.getByRole('button', { name: 'Reload in 3 s' }).click();
  await page.getByRole('button', { name: /Stop$/ }).click();
  await expect(page.getByRole('button', { name: 'Reload in 3 s' })).toBeVisible();
  const reloaded = page.waitForEvent('load');
  await page.keyboard.press('r');
  await reloaded;
  await expect(page.getByRole('button', { name: 'Exit' })).toBeVisible();
});
