/** Pages and browsers that end, and what takes their place. */
import { pause, whole, type Story, type Told } from './story.ts';
import type { AppPage } from '../appPage.ts';

const TICKS = 30;
const COUNTDOWN = { ticks: TICKS, intervalMs: 100 };

async function called(page: AppPage): Promise<string> {
  const id = await page.call('countdown', COUNTDOWN);
  await page.untilReceived(id, 6);
  return id;
}

/** In the page that has taken the place of another one. */
async function judge(page: AppPage, id: string): Promise<Told> {
  await page.untilConnected();
  const problems = await page.problemsOf(id, TICKS);
  const { replayed } = await page.untilEnded(id);
  return whole(problems, `whole, ${replayed} replayed`);
}

export const tabClosed: Story = {
  name: 'tab-closed',
  row: 'tab closed, and opened again',
  async tell({ connected, open }) {
    const page = await connected();
    const id = await called(page);
    await page.tab.close();
    return judge(await open(), id);
  },
};

export const tabCrash: Story = {
  name: 'tab-crash',
  row: 'the process of the tab ends',
  async tell({ connected, open, engine }) {
    const page = await connected();
    if (!page.tab.crash) return { says: `can't be done from outside in ${engine}`, problems: [] };
    const id = await called(page);
    await page.tab.crash();
    return judge(await open(), id);
  },
};

export const browserKilled: Story = {
  name: 'browser-killed',
  row: 'browser ended with SIGKILL, and opened on the same profile',
  async tell({ connected, open, killAndStart }) {
    const page = await connected();
    const id = await called(page);
    await killAndStart();
    return judge(await open(), id);
  },
};

export const twoTabs: Story = {
  name: 'two-tabs',
  row: 'two tabs: call from the second, the first closes',
  async tell({ connected, open }) {
    const first = await connected();
    const second = await open();
    await second.untilConnected();
    const id = await called(second);
    await first.tab.close();
    await pause(300);
    return judge(second, id);
  },
};

export const backAndForward: Story = {
  name: 'back-forward',
  row: 'another page, and back',
  async tell({ connected, site }) {
    const page = await connected();
    const id = await called(page);
    await page.run('mark the page', 'window.isMarked = true');
    await page.tab.goto(new URL('icon-maskable.svg', site).href);
    await pause(500);
    await page.tab.back();
    // WebKit gives the page back without its locks, and it loads itself again: what it was asked meanwhile never ends.
    const told = await judge(page, id).catch(() => judge(page, id));
    const isCached = await page.run<boolean>('look', 'return window.isMarked === true');
    const fresh = await page.call('countdown', { ticks: 3, intervalMs: 50 });
    const problems = [...told.problems, ...(await page.problemsOf(fresh, 3))];
    return whole(problems, `${isCached ? 'from the back/forward cache' : 'new page'}, ${told.says}`);
  },
};
