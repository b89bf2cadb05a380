// The embedded target by itself, without the app: a server in a service worker that outlives the page.
import { expect, type Page } from '@playwright/test';
import type { SessionStats } from '../../targets/core/stats.ts';
import { installRawMcp } from './rawMcp.ts';
import { test } from './siteHosts.ts';

test.use({ serviceWorkers: 'allow' });

const TICKS = 12;
const ALL_TICKS = Array.from({ length: TICKS }, (_, index) => index + 1);

test.beforeEach(async ({ page }) => {
  await installRawMcp(page);
});

const prepareDemo = async (page: Page) => {
  const prepared = await page.evaluate(() => window.repriseDemo.prepareDemo());
  expect(prepared).toEqual({ ok: true, value: new URL('demo/mcp', page.url()).href });
  return new URL('demo/mcp', page.url()).href;
};

/** Starts a countdown, reloads in the middle of it, and follows the same stream in the new page. */
async function countAcrossReload(page: Page) {
  const url = await prepareDemo(page);
  const before = await page.evaluate(
    async ({ url, args }) => {
      const session = await window.rawMcp.initialize(url);
      return window.rawMcp.call(url, session, args, 3);
    },
    { url, args: { ticks: TICKS, intervalMs: 100 } },
  );
  expect(before.result).toBeUndefined();
  await page.reload();
  await prepareDemo(page);
  const after = await page.evaluate(
    ({ url, session, lastEventId }) => window.rawMcp.resume(url, session, lastEventId),
    { url, ...before },
  );
  return { before, after };
}

/** Every tick once and in order, and the result: nothing was lost and nothing came twice. */
function expectWhole({ before, after }: Awaited<ReturnType<typeof countAcrossReload>>) {
  expect([...before.ticks, ...after.ticks]).toEqual(ALL_TICKS);
  expect(after.result).toMatchObject({ structuredContent: { ticks: ALL_TICKS } });
}

test.describe('a call goes on across a reload', () => {
  test('from its own server', async ({ page }) => {
    await page.goto('./');
    expectWhole(await countAcrossReload(page));
  });

  test('from a subfolder of a static host', async ({ page, subfolder }) => {
    await page.goto(subfolder);
    expectWhole(await countAcrossReload(page));
  });

  test('from the dev server', { tag: '@long' }, async ({ page, dev }) => {
    await page.goto(dev);
    expectWhole(await countAcrossReload(page));
  });
});

test('a page that was loaded past the worker, by a hard reload, is taken over again', async ({ page }) => {
  await page.goto('./');
  await prepareDemo(page);
  const devtools = await page.context().newCDPSession(page);
  await Promise.all([page.waitForEvent('load'), devtools.send('Page.reload', { ignoreCache: true })]);
  const url = await prepareDemo(page);
  expect(await page.evaluate((address) => window.rawMcp.initialize(address), url)).not.toBe('');
});

test('a restart forgets the sessions and keeps count of the calls', async ({ page }) => {
  await page.goto('./');
  const url = await prepareDemo(page);
  const session = await page.evaluate((address) => window.rawMcp.initialize(address), url);
  await page.evaluate(([address, id]) => window.rawMcp.call(address, id, { ticks: 1, intervalMs: 0 }), [
    url,
    session,
  ] as const);
  const status = () =>
    page.evaluate(([address, id]) => window.rawMcp.status(address, id), [url, session] as const);
  expect(await status()).toBe(200);

  const control = (action: string, method = 'POST') =>
    page.evaluate(async ([address, init]) => (await fetch(address, init)).json() as Promise<unknown>, [
      new URL(`__control/${action}`, url).href,
      { method },
    ] as const);
  expect(await control('restart')).toEqual({ action: 'restart' });
  expect(await status()).toBe(404);
  expect(await control('stats', 'GET')).toMatchObject({ calls: { countdown: 1 } });
  expect(await control('reset')).toEqual({ action: 'reset' });
  expect(await control('stats', 'GET')).toMatchObject({ calls: {} });
});

test('a dropped stream breaks in the page and can be resumed', async ({ page }) => {
  await page.goto('./');
  const url = await prepareDemo(page);
  const before = await page.evaluate(
    async ({ url, args }) => {
      const session = await window.rawMcp.initialize(url);
      const following = window.rawMcp.call(url, session, args);
      // When some of it has come, and not all.
      for (let sent = 0; sent < 5;) {
        const stats = (await (await fetch(new URL('__control/stats', url))).json()) as {
          sessions: SessionStats[];
        };
        sent = Math.max(
          0,
          ...stats.sessions.flatMap(({ streams }) => Object.values(streams).map((one) => one.sent)),
        );
      }
      await fetch(new URL('__control/drop-streams', url), { method: 'POST' });
      return following;
    },
    { url, args: { ticks: TICKS, intervalMs: 250 } },
  );
  expect(before.result).toBeUndefined();
  const after = await page.evaluate(
    ({ url, session, lastEventId }) => window.rawMcp.resume(url, session, lastEventId),
    { url, ...before },
  );
  expectWhole({ before, after });
});

test('the rest of the site goes past the demo', async ({ page }) => {
  await page.goto('./');
  await prepareDemo(page);
  const fetched = await page.evaluate(
    async () => (await fetch('manifest.webmanifest')).json() as Promise<unknown>,
  );
  expect(fetched).toMatchObject({ name: 'Reprise' });
  expect(await page.evaluate(async () => (await fetch('demo/nothing')).status)).toBe(404);
});

test('an origin that is not secure gets a sentence instead of a demo', async ({ page }) => {
  await page.route('http://reprise.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Reprise</title>' }),
  );
  await page.goto('http://reprise.test/');
  const prepared = await page.evaluate(() => window.repriseDemo.prepareDemo());
  expect(prepared).toMatchObject({
    ok: false,
    error: expect.stringContaining(
      'requires HTTPS or localhost. This page is served from http://reprise.test',
    ),
  });
});

test('a worker that cannot be loaded gets a sentence instead of a demo', async ({ page, withoutWorker }) => {
  await page.goto(withoutWorker);
  const prepared = await page.evaluate(() => window.repriseDemo.prepareDemo());
  expect(prepared).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^Can’t start the demo: .*404.* connect to another server\.$/s),
  });
});
