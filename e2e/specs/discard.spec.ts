/** Memory is short, and Chromium discards a tab: its page is gone, and loads when the tab is looked at again. */
import { chromium } from '@playwright/test';
import { closedAfter } from './closedAfter.ts';
import { expect, range, test as base } from './inspector.ts';
import { PipedChromium } from './pipedChromium.ts';

const test = base.extend<{ piped: typeof PipedChromium.start }>({
  piped: closedAfter((path: string) => PipedChromium.start(path)),
});

const TICKS = 20;

/** Presses **Urgent Discard** in the row of this address; true once it was there. */
const discard = (url: string) => `(() => {
  const deep = (node) => [node, ...[...(node.children ?? []), ...(node.shadowRoot ? [node.shadowRoot] : [])].flatMap(deep)];
  const row = deep(document.documentElement).find((one) => one.tagName === 'TR' && one.textContent.includes(${JSON.stringify(url)}));
  const link = row && deep(row).find((one) => /urgent/i.test(one.textContent) && !one.children?.length);
  link?.click();
  return link !== undefined;
})()`;

test(
  'a tab that the browser discards in the middle of a call',
  { tag: '@chromium' },
  async ({ piped, target, baseURL, launchOptions }) => {
    const site = baseURL ?? '';
    const server = await target('resumable');
    const browser = await piped(launchOptions.executablePath ?? chromium.executablePath());
    const tab = await browser.open(site);
    await expect.poll(() => browser.look(tab, 'window.reprise?.ready.then(() => true)')).toBe(true);
    await browser.look(tab, `window.reprise.connect(${JSON.stringify(server.url)})`);
    const id = await browser.look(
      tab,
      `window.reprise.call('countdown', { ticks: ${TICKS}, intervalMs: 150 })`,
    );
    const received = 'window.reprise.calls()[0]?.received ?? 0';
    await expect.poll(() => browser.look(tab, received)).toBeGreaterThan(4);
    await browser.look(tab, 'window.reprise.stored()');

    const discards = await browser.open('chrome://discards/');
    await expect.poll(() => browser.look(discards, discard(site))).toBe(true);
    const others = async () => (await browser.tabsAt(site)).filter((one) => one !== tab);
    await expect.poll(others, 'the tab has another target').toHaveLength(1);
    const [again = ''] = await others();
    await browser.activate(again);
    await expect.poll(() => browser.look(again, 'document.wasDiscarded')).toBe(true);
    await expect
      .poll(() => browser.look(again, 'window.reprise?.ready.then(() => window.reprise.calls()[0]?.name)'))
      .toBe('settled');
    expect(await browser.look(again, 'window.reprise.calls().map(({ id }) => id)')).toEqual([id]);
    const progress = "window.reprise.entries('kind:received method:notifications/progress')";
    const ticks = `${progress}.then((all) => all.map(({ message }) => message.params.progress))`;
    expect(await browser.look(again, ticks), 'each once, in order').toEqual(range(TICKS));
  },
);
