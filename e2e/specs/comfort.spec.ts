// What makes it pleasant: keys, a view that comes back in each tab, small screens, no network.
import { expect, type Page } from '@playwright/test';
import { test } from './inspector.ts';
import { openSection } from './sections.ts';

const status = (page: Page) => page.getByRole('status');

async function connect(page: Page, url: string) {
  await page.getByRole('textbox', { name: 'Server URL' }).fill(url);
  await page.keyboard.press('Enter');
  await expect(status(page)).toHaveText('Connected');
}

test.beforeEach(async ({ page, watch }) => {
  await watch(page).goto('./');
});

test('by keyboard alone: commands, shortcuts, sections, and the focus where it was', async ({
  page,
  target,
}) => {
  const server = await target('resumable');
  await connect(page, server.url);
  const commands = page.getByRole('dialog', { name: 'Commands' });
  await page.keyboard.press('Control+k');
  await expect(commands.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('countd');
  await expect(commands.getByRole('option').first()).toContainText('countdown');
  await page.keyboard.press('Enter');
  await expect(commands).toBeHidden();
  await expect(page.getByRole('heading', { name: 'countdown' })).toBeVisible();
  // The focus follows the work.
  await expect(page.getByLabel('ticks')).toBeFocused();

  // Letters are for whoever types; elsewhere they are shortcuts.
  await page.keyboard.type('?');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Shortcuts' }).focus();
  await page.keyboard.press('g');
  await page.keyboard.press('3');
  await expect(page.getByRole('main')).not.toHaveAccessibleName('Tools');
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(shortcuts).toContainText('Ctrl+K');
  await shortcuts.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Shortcuts' })).toBeFocused();
  await page.keyboard.press('?');
  await expect(shortcuts).toBeHidden();
  await page.reload();
  await expect(status(page)).toContainText('Reconnected');
  await page.keyboard.press('?');
  await expect(shortcuts).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(commands.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('remove server');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('removed, with its log');
  await expect(page.getByRole('button', { name: 'Undo' })).not.toBeFocused();
});

test('a part of the page that comes while its keys are listed adds its own, and takes none away', async ({
  page,
  target,
}) => {
  await connect(page, (await target('resumable')).url);
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(shortcuts).toContainText('Fit everything');
  await expect(shortcuts).not.toContainText('Toggle raw JSON');
  await page.evaluate(() => window.reprise.call('countdown', { ticks: 1, intervalMs: 0 }));
  await expect(shortcuts).toContainText('Toggle raw JSON');
  await expect(shortcuts).toContainText('Fit everything');
});

test('the columns are as wide as somebody made them, by key and by mouse, and stay so over a reload', async ({
  page,
  target,
}) => {
  const server = await target('resumable');
  await connect(page, server.url);
  const edge = (name: string) => page.getByRole('separator', { name });
  const width = async (name: string) => Number(await edge(name).getAttribute('aria-valuenow'));
  const [list, result] = ['List width', 'Result width'] as const;
  await expect(edge(list)).toHaveAttribute('aria-valuenow', '284');
  await edge(list).focus();
  const keys = ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowRight'];
  // As fast as keys can come: none is lost.
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
  await expect(edge(list)).toHaveAttribute('aria-valuenow', '332');
  await edge(result).press('End');
  await expect.poll(() => width(result)).toBe(Number(await edge(result).getAttribute('aria-valuemax')));

  await page.reload();
  // The result was made as wide as it goes: the list gives way, down to its least width.
  await expect(edge(list)).toHaveAttribute('aria-valuenow', '160');
  await edge(result).press('Enter');
  await expect(edge(list)).toHaveAttribute('aria-valuenow', '332');
  await edge(list).hover();
  await page.mouse.down();
  await page.mouse.move(312, 300, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => width(list)).toBeLessThan(320);
  const dragged = String(await width(list));
  await openSection(page, 'Prompts');
  await expect(edge(list)).toHaveAttribute('aria-valuenow', dragged);
  await edge(list).press('Home');
  await expect(edge(list)).toHaveAttribute('aria-valuenow', '160');
  await edge(list).dblclick();
  await expect(edge(list)).toHaveAttribute('aria-valuenow', '284');
  await edge('Timeline height').press('Home');
  await expect(edge('Timeline height')).toHaveAttribute('aria-valuenow', '120');
});

test('a reload brings the view back, and each tab has its own', async ({ page, context, target, watch }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await openSection(page, 'Info');
  await expect(page.getByRole('main')).toHaveAccessibleName('Info');
  await page.setViewportSize({ width: 1000, height: 420 });
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, 60));
  await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Timeline' }).click();
  await expect(page.getByRole('listbox', { name: 'Calls' })).toBeHidden();

  const other = watch(await context.newPage());
  await other.goto('./');
  await expect(other.getByRole('main')).toHaveAccessibleName('Tools');
  await expect(other.getByRole('region', { name: 'Timeline' })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('main')).toHaveAccessibleName('Info');
  await expect(page.getByRole('listbox', { name: 'Calls' })).toBeHidden();
  await expect(page.getByRole('main')).toContainText('protocol');
  await other.reload();
  await expect(other.getByRole('main')).toHaveAccessibleName('Tools');
});

test('what the server says of itself, in the tab that leads and in the one that follows', async ({
  page,
  context,
  target,
  watch,
}) => {
  const server = await target('resumable');
  await connect(page, server.url);
  const other = watch(await context.newPage());
  await other.goto('./');
  for (const tab of [page, other]) {
    await openSection(tab, 'Info');
    await expect(tab.getByRole('main')).toContainText('2025-11-25');
    await expect(tab.getByRole('main')).toContainText('tools');
    await expect(tab.getByRole('main')).toContainText(/started .*(ago|just now)/);
  }
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test(
    'opens without a network once it was loaded, and a demo call runs there',
    { tag: '@long' },
    async ({ page, context }) => {
      await page.evaluate(async () => {
        await window.reprise.ready;
        await navigator.serviceWorker.ready;
      });
      await context.setOffline(true);
      await page.reload();
      await expect(status(page)).toHaveText('Not connected');
      await page.getByRole('button', { name: 'Open the demo' }).click();
      await expect(status(page)).toHaveText('Connected');
      // What is fetched late is there too.
      await openSection(page, 'Info');
      await expect(page.getByRole('main')).toContainText('protocol');
      await page.getByRole('button', { name: 'Servers', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Servers' })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      const help = page.getByRole('dialog', { name: 'Help' });
      await help.getByRole('button', { name: 'Glossary' }).click();
      await expect(help.getByText('the time from a call to its first event ID')).toBeVisible();
    },
  );
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 780 } });

  test('one column; the timeline is a sheet over it', async ({ page, target }) => {
    const server = await target('resumable');
    await connect(page, server.url);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('button', { name: 'Timeline' }).click();
    const edges = async () => {
      const box = await timeline.boundingBox();
      return { isHigh: (box?.height ?? 0) > 400, bottom: Math.round((box?.y ?? 0) + (box?.height ?? 0)) };
    };
    await expect.poll(edges).toEqual({ isHigh: true, bottom: 780 });
    await timeline.getByRole('button', { name: 'Timeline' }).click();
    for (const name of ['Tools', 'Auth', 'Info']) {
      await openSection(page, name);
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(isWider, `${name} is not wider than the screen`).toBe(false);
    }
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    const dialog = await page.getByRole('dialog', { name: 'Servers' }).boundingBox();
    expect(dialog?.width).toBeLessThanOrEqual(390);
  });
});
