/** The views of the app in an order in which one visit can go through them. */
import type { Page } from '@playwright/test';

export interface View {
  readonly name: string;
  /** Goes there from the view before. */
  readonly show: (page: Page) => Promise<void>;
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' });

const received = (page: Page, least: number) =>
  page.waitForFunction((n) => (window.reprise.calls().at(-1)?.received ?? 0) >= n, least);
const settled = (page: Page) =>
  page.waitForFunction(() => window.reprise.calls().at(-1)?.settledAt !== undefined);

/** What is loaded when it's first shown is there, and has been drawn. */
async function drawn(page: Page): Promise<void> {
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'hidden' });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function openDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the demo' }).click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('button').first().waitFor();
  await drawn(page);
}

/** Every kind of row, and a call that a reload has interrupted. */
async function reloadDuringCall(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { reprise } = window;
    await reprise.call('big', { bytes: 1000 });
    await reprise.call('fail', { afterMs: 120 });
    await reprise.call('ask', { question: 'Deploy?' });
    await reprise.call('countdown', { ticks: 20, intervalMs: 400 });
  });
  await received(page, 12);
  await page.reload();
  await page.getByRole('group', { name: 'Reload' }).getByText('Reload survived').waitFor();
  await received(page, 22);
  await page.getByRole('button', { name: 'Close the inbox' }).click();
}

const section = (title: string): View => ({
  name: title.toLowerCase(),
  show: async (page) => {
    const button = sections(page).getByRole('button', { name: new RegExp(`^${title}`) });
    if ((await button.count()) === 0) await sections(page).getByRole('button', { name: /^More/ }).click();
    await button.click();
    await drawn(page);
  },
});

const tab = (title: string): View => ({
  name: `call-${title.toLowerCase()}`,
  show: async (page) => {
    await page.getByRole('tab', { name: new RegExp(`^${title}`) }).click();
    await drawn(page);
  },
});

const dialog = (name: string, keys: string): View => ({
  name,
  show: async (page) => {
    if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
    await page.getByRole('main').focus();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await drawn(page);
  },
});

export const VIEWS: readonly View[] = [
  { name: 'start', show: drawn },
  { name: 'connected', show: openDemo },
  { name: 'main', show: reloadDuringCall },
  {
    name: 'question',
    show: async (page) => {
      await page.getByRole('button', { name: /input request/ }).click();
      await region(page, 'Inbox').getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'call-result',
    show: async (page) => {
      await page.getByRole('button', { name: 'Close the inbox' }).click();
      await settled(page);
      await drawn(page);
    },
  },
  ...['Arguments', 'Messages', 'Timing', 'HTTP', 'Why'].map(tab),
  {
    name: 'log',
    show: async (page) => {
      const timeline = region(page, 'Timeline');
      const bar = timeline.getByRole('button', { name: 'Timeline' });
      if ((await bar.getAttribute('aria-expanded')) === 'false') await bar.click();
      await timeline.getByRole('button', { name: 'Log', exact: true }).click();
      await drawn(page);
    },
  },
  {
    name: 'calls',
    show: async (page) => {
      await region(page, 'Timeline').getByRole('button', { name: 'Calls', exact: true }).click();
      await drawn(page);
      const bar = region(page, 'Timeline').getByRole('button', { name: 'Timeline' });
      if ((page.viewportSize()?.width ?? 0) < 900) await bar.click();
    },
  },
  ...['Resources', 'Prompts', 'Logs', 'Client', 'Auth', 'Info', 'Interface'].map(section),
  {
    name: 'export',
    show: async (page) => {
      const timeline = region(page, 'Timeline');
      const bar = timeline.getByRole('button', { name: 'Timeline' });
      if ((await bar.getAttribute('aria-expanded')) === 'false') await bar.click();
      await timeline.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('dialog').waitFor();
      await drawn(page);
    },
  },
  dialog('servers', 'g s'),
  dialog('palette', 'Control+k'),
  dialog('shortcuts', '?'),
  dialog('help', 'g h'),
  dialog('settings', 'g ,'),
  {
    name: 'failed',
    show: async (page) => {
      await page.keyboard.press('Escape');
      await page.evaluate(() => window.reprise.connect('http://127.0.0.1:9/mcp').catch(() => undefined));
      await page.getByText('How to fix it:').waitFor();
      await drawn(page);
    },
  },
];

export const STAGE_VIEWS: readonly View[] = [
  {
    name: 'stage',
    show: async (page) => {
      await openDemo(page);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press('s');
      await page.getByRole('button', { name: 'Exit' }).waitFor();
      await drawn(page);
    },
  },
  {
    name: 'stage-recovered',
    show: async (page) => {
      await page.evaluate(() => window.reprise.call('countdown', { ticks: 20, intervalMs: 300 }));
      await received(page, 12);
      await page.reload();
      await page.getByText(/missed, \d+ recovered/).waitFor();
      await drawn(page);
    },
  },
];

/** Views that the demo doesn't have, of targets. */
export function targetViews(urls: { readonly skills: string; readonly app: string }): readonly View[] {
  const connect = (page: Page, url: string) =>
    page.evaluate((address) => window.reprise.connect(address).then(() => window.reprise.tools()), url);
  const skills = section('Skills');
  return [
    {
      name: skills.name,
      show: async (page) => {
        await connect(page, urls.skills);
        await skills.show(page);
      },
    },
    {
      name: 'app',
      show: async (page) => {
        await connect(page, urls.app);
        await page.evaluate(() => window.reprise.call('dashboard', { title: 'Sales' }));
        await page.getByRole('region', { name: 'App', exact: true }).locator('iframe').waitFor();
        await settled(page);
        await drawn(page);
      },
    },
  ];
}
