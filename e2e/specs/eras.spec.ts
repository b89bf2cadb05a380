// What a server of 2026-07-28 asks of a page beside calls: an upgrade under it, a stream to listen on, headers that change.
import { expect, type Page } from '@playwright/test';
import { test } from './inspector.ts';
import type { RunningTarget } from '../targets/startTarget.ts';

const asked = (server: RunningTarget, method: string) =>
  server.stats().sessions.reduce((sum, { methods }) => sum + (methods[method] ?? 0), 0);

async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => 'reprise' in window);
  await page.evaluate(() => window.reprise.ready);
}

const call = (page: Page, tool: string, args: object) =>
  page.evaluate(
    async ([name, input]) => {
      const id = await window.reprise.call(name, input);
      const find = () => window.reprise.calls().find((one) => one.id === id);
      for (let since: string | undefined; find()?.settledAt === undefined;) {
        const activity = await window.reprise.awaitActivity({
          timeoutMs: 1000,
          ...(since !== undefined && { since }),
        });
        since = activity.lastEventId;
      }
      return find();
    },
    [tool, args] as const,
  );

test('a server that is upgraded between two page loads is recognised, and nothing stored is lost', async ({
  page,
  watch,
  target,
}) => {
  const server = await target('dual');
  await server.control('era-session');
  await watch(page).goto('./');
  await ready(page);
  await page.evaluate((url) => window.reprise.connect(url), server.url);
  const before = await call(page, 'countdown', { ticks: 2, intervalMs: 1 });
  expect(before).toMatchObject({ name: 'settled' });
  await page.evaluate(() => window.reprise.entries());
  await server.control('era-stateless');
  await page.reload();
  await ready(page);
  await expect.poll(() => page.evaluate(() => window.reprise.state().name)).toBe('connected');
  await expect(page.getByRole('status').first()).toContainText('The server speaks 2026-07-28 now');
  const kept = await page.evaluate(() => window.reprise.calls().map(({ id, name }) => ({ id, name })));
  expect(kept).toEqual([{ id: before?.id, name: 'settled' }]);
  expect(await call(page, 'countdown', { ticks: 1, intervalMs: 1 })).toMatchObject({
    name: 'settled',
    era: 'stateless',
  });
  await server.control('era-session');
  await page.reload();
  await ready(page);
  await expect.poll(() => page.evaluate(() => window.reprise.state().name)).toBe('connected');
  expect(await call(page, 'countdown', { ticks: 1, intervalMs: 1 })).toMatchObject({ name: 'settled' });
  expect(await page.evaluate(() => window.reprise.calls().length)).toBe(3);
});

test('the stream of changes is opened again, after a break and after a reload', async ({
  page,
  watch,
  target,
}) => {
  const server = await target('modern');
  await watch(page).goto('./');
  await ready(page);
  await page.evaluate((url) => window.reprise.connect(url), server.url);
  await expect.poll(() => asked(server, 'subscriptions/listen')).toBe(1);
  await server.control('drop-streams');
  await expect.poll(() => asked(server, 'subscriptions/listen')).toBe(2);
  await page.reload();
  await ready(page);
  await expect.poll(() => asked(server, 'subscriptions/listen')).toBe(3);
  const lists = asked(server, 'tools/list');
  await server.control('announce');
  await expect.poll(() => asked(server, 'tools/list')).toBeGreaterThan(lists);
});

test('a header that was renamed is learned from a new list, and the call is made again by itself', async ({
  page,
  watch,
  target,
}) => {
  const server = await target('modern');
  await watch(page).goto('./');
  await ready(page);
  await page.evaluate((url) => window.reprise.connect(url), server.url);
  expect(await call(page, 'route', { region: 'eu' })).toMatchObject({ name: 'settled' });
  await server.control('rename-header');
  const lists = asked(server, 'tools/list');
  const routed = await call(page, 'route', { region: 'Zürich' });
  expect(routed).toMatchObject({ name: 'settled', result: { content: [{ text: 'Routed to Zürich' }] } });
  expect(asked(server, 'tools/list')).toBeGreaterThan(lists);
});

test('the demo of 2026-07-28: a call is a task, and a reload follows it', async ({ page, watch }) => {
  await watch(page).goto('./');
  await ready(page);
  await page.getByRole('button', { name: 'Demo without sessions (2026-07-28)' }).click();
  await expect.poll(() => page.evaluate(() => window.reprise.state().name)).toBe('connected');
  const id = await page.evaluate(() => window.reprise.call('countdown', { ticks: 8, intervalMs: 300 }));
  const find = () => page.evaluate((one) => window.reprise.calls().find((call) => call.id === one), id);
  await expect.poll(async () => (await find())?.taskId).toBeTruthy();
  // Reading the entries waits for what is not on disk yet.
  await page.evaluate(() => window.reprise.entries());
  await page.reload();
  await ready(page);
  await expect.poll(async () => (await find())?.name, { timeout: 20_000 }).toBe('settled');
  expect(await find()).toMatchObject({ result: { structuredContent: { ticks: [1, 2, 3, 4, 5, 6, 7, 8] } } });
});
