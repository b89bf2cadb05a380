// The face of the app: few keys to a result, keys in lists, and nothing that jumps.
import { expect, type Page } from '@playwright/test';
import { test } from './inspector.ts';

const url = (page: Page) => page.getByRole('textbox', { name: 'Server URL' });
const tools = (page: Page) => page.getByRole('list', { name: 'Tools' });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });

/** Which blocks have moved since a moment of the page. Words within a line may: clocks count, and another call has another name. */
async function layoutShifts(page: Page, since = 0): Promise<readonly string[]> {
  return page.evaluate(
    (from) =>
      new Promise<string[]>((resolve) => {
        const shifts: string[] = [];
        type Shift = PerformanceEntry & { readonly sources: readonly { readonly node: Node | null }[] };
        new PerformanceObserver((list) => {
          const shifted = (list.getEntries() as Shift[]).filter(({ startTime }) => startTime >= from);
          for (const { sources } of shifted)
            for (const { node } of sources)
              if (node instanceof Element && !node.matches('[role=status], h2 *'))
                shifts.push(node.outerHTML.slice(0, 120));
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shifts))));
      }),
    since,
  );
}

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('from a cold start to the demo’s first result with three keys', async ({ page, watch }) => {
    await watch(page).goto('./');
    await expect(url(page)).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('ticks')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(result(page)).toContainText('countdown');
  });

  test('from a cold start to the demo’s first result with two clicks', async ({ page, watch }) => {
    await watch(page).goto('./');
    await page.getByRole('button', { name: 'Open the demo' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect(result(page)).toContainText('countdown');
  });
});

test('“?” opens the shortcuts from the empty URL field, and is typed into one that isn’t empty', async ({
  page,
  watch,
}) => {
  await watch(page).goto('./');
  await expect(url(page)).toBeFocused();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(shortcuts).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(url(page)).toBeFocused();
  await page.keyboard.type('http://a.example/mcp?x');
  await expect(url(page)).toHaveValue('http://a.example/mcp?x');
  await expect(shortcuts).toBeHidden();
});

test('by key: a tool from the palette and its call, and the arrows in the list of tools', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /command/i }).fill('burst');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('count')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await inspector.calls()).at(-1)?.tool).toBe('burst');

  await page.getByRole('button', { name: 'Shortcuts' }).focus();
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await expect(page.getByRole('searchbox', { name: 'Search tools' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(tools(page).getByRole('button').nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(tools(page).getByRole('button').last()).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('ticks'), 'the focus goes on to the arguments').toBeFocused();
  // One stop of the Tab key, however many tools there are.
  await expect(tools(page).locator('button[tabindex="0"]')).toHaveCount(1);
});

test('nothing jumps when a call, a result and a question arrive, nor at a reload', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 2, intervalMs: 0 }));
  await tools(page).getByRole('button', { name: 'countdown' }).click();
  await expect(result(page)).toContainText('done');
  const places = async () =>
    Promise.all(
      [
        tools(page),
        page.getByLabel('ticks'),
        page.getByRole('button', { name: 'Call', exact: true }),
        result(page),
        page.getByRole('region', { name: 'Timeline' }),
      ].map((one) => one.boundingBox()),
    );
  const before = await places();
  const since = await page.evaluate(() => performance.now());
  const id = await inspector.call('ask', { question: 'Is it still there?' });
  await expect(page.getByRole('region', { name: 'Inbox' })).toContainText('Is it still there?');
  await page.getByRole('button', { name: 'Close the inbox' }).click();
  expect(await places()).toEqual(before);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /command/i })).toBeFocused();
  await page.keyboard.press('Escape');
  expect(await layoutShifts(page, since), 'with a result, a question and a search box').toEqual([]);
  await inspector.untilReceived(id, 1);
  await inspector.reload();
  await expect(page.getByRole('status').first()).toContainText('Reconnected');
  expect(await layoutShifts(page)).toEqual([]);
});

test('nothing jumps when the lists of a server arrive one after another, nor at its first call', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url: server } = await target('resumable');
  const held: (() => Promise<void>)[] = [];
  await page.route(server, async (route) => {
    const isList = /(tools|resources|prompts)\/list/.test(route.request().postData() ?? '');
    if (isList) held.push(() => route.fallback());
    else await route.fallback();
  });
  await page.getByRole('textbox', { name: 'Server URL' }).fill(server);
  await page.keyboard.press('Enter');
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await expect.poll(() => held.length).toBe(3);
  await expect(sections.getByRole('button', { name: 'Prompts' })).toBeVisible();
  const since = await page.evaluate(() => performance.now());
  for (const release of held.reverse()) {
    await release();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  }
  await expect(tools(page).getByRole('button').first()).toBeVisible();
  await expect(sections.getByRole('button', { name: 'Prompts' })).toContainText('7');
  await inspector.call('countdown', { ticks: 1, intervalMs: 0 });
  await expect(sections.getByRole('button', { name: 'More sections, 1 new' })).toBeVisible();
  expect(await layoutShifts(page, since)).toEqual([]);
});

test('a section that isn’t beside the list of tools is in the menu, which Escape closes', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const more = sections.getByRole('button', { name: 'More sections' });
  await more.click();
  await expect(sections.getByRole('button', { name: 'Logs' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sections.getByRole('button', { name: 'Logs' })).toBeHidden();
  await expect(more).toBeFocused();
  await more.click();
  await sections.getByRole('button', { name: 'Logs' }).click();
  await expect(page.getByRole('main', { name: 'Logs' })).toBeVisible();
  await expect(sections.getByRole('button', { name: 'Info' })).toBeVisible();
});

test('a server at a corrected URL has its own name, and the mistake before it is off the screen', async ({
  page,
  watch,
  target,
}) => {
  await watch(page).goto('./');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(url(page)).toHaveAttribute('aria-invalid', 'true');
  const server = await target('resumable');
  await url(page).fill(server.url.replace(/mcp$/, 'api'));
  await page.keyboard.press('Enter');
  await expect(tools(page).getByRole('button').first()).toBeVisible();
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Server' }).getByRole('option')).toHaveAttribute(
    'label',
    /Reprise target$/,
  );
});

test('on a low screen the start page scrolls, and its picture is above its steps', async ({ inspector }) => {
  const { page } = inspector;
  await page.setViewportSize({ width: 900, height: 620 });
  const main = page.getByRole('main');
  const picture = await main.getByRole('img').boundingBox();
  const steps = await main.getByRole('list').boundingBox();
  expect((picture?.y ?? NaN) + (picture?.height ?? NaN)).toBeLessThanOrEqual(steps?.y ?? NaN);
});
