// mcp-reprise/client in a page of its own: no inspector, no Svelte, a database and locks of the browser.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import type * as Client from '../../src/client/public/index.ts';
import type { RunningTarget } from '../../targets/startTarget.ts';
import { expect, test as base } from './inspector.ts';

declare global {
  interface Window {
    mcp: Client.RepriseClient;
  }
}

const CLIENT = join(import.meta.dirname, '../../src/client/public/index.ts');
/** As small as an app can be: it shows the newest call, whichever page has made it. */
const APP = `
import { indexedDbStore, openClient } from ${JSON.stringify(CLIENT)};
// A login returns to the page without its query.
const url = new URLSearchParams(location.search).get('server') ?? sessionStorage.getItem('server');
sessionStorage.setItem('server', url);
const clientInfo = { name: 'test-app', version: '1' };
const client = (window.mcp = await openClient({ url, clientInfo, store: indexedDbStore('test-app'), oauth: {} }));
document.querySelector('#redirect').onclick = () => client.login();
document.querySelector('#popup').onclick = () => client.login({ mode: 'popup' });
const show = () => {
  const { state, calls } = client.getSnapshot();
  const call = calls.at(-1);
  document.querySelector('p').textContent = state.name + ' ' + (state.how ?? '');
  document.querySelector('progress').value = call?.progress?.progress ?? 0;
  document.querySelector('output').textContent = JSON.stringify(call?.state ?? {});
};
client.subscribe(show);
show();
`;
const PAGE =
  '<!doctype html><p></p><progress max="3000"></progress><output></output><button id="redirect">Redirect</button><button id="popup">Popup</button><script type="module" src="./app.js"></script>';

const test = base.extend<object, { site: string }>({
  site: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'reprise-client-'));
      await writeFile(join(folder, 'app.ts'), APP);
      const { build } = await import('vite');
      await build({
        root: folder,
        configFile: false,
        logLevel: 'error',
        build: {
          outDir: join(folder, 'dist'),
          target: 'es2022',
          rolldownOptions: { input: join(folder, 'app.ts'), output: { entryFileNames: 'app.js' } },
        },
      });
      await writeFile(join(folder, 'dist/index.html'), PAGE);
      const server = await serveStatic({ folder: join(folder, 'dist') });
      await use(server.url);
      await server.close();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

// In one worker, which builds the page once.
test.describe.configure({ mode: 'default' });

async function open(page: Page, site: string, { url }: RunningTarget): Promise<void> {
  await page.goto(`${site}?server=${encodeURIComponent(url)}`);
  await expect(page.locator('p')).toContainText('connected');
}

const start = (page: Page, ticks: number) =>
  page.evaluate(async (n) => {
    const call = await window.mcp.call('countdown', { ticks: n, intervalMs: 100 }, { key: 'k' });
    return call.id;
  }, ticks);

/** The progress bar has come so far. */
const progressed = (page: Page, least: number) =>
  expect
    .poll(() => page.locator('progress').evaluate((bar: HTMLProgressElement) => bar.value))
    .toBeGreaterThanOrEqual(least);

const runs = (target: RunningTarget) =>
  target.stats().sessions.reduce((sum, { calls }) => sum + (calls['countdown'] ?? 0), 0);

test('a call of a foreign page gets its result after two reloads, and runs once', async ({
  page,
  site,
  target,
}) => {
  const server = await target('resumable');
  await open(page, site, server);
  const id = await start(page, 15);
  await progressed(page, 2);
  await page.reload();
  await progressed(page, 4);
  await page.reload();
  const outcome = await page.evaluate(async () => {
    while (!('mcp' in window)) await new Promise((resolve) => setTimeout(resolve, 10));
    const call = window.mcp.find('k');
    return { id: call?.id, outcome: await call?.result };
  });
  expect(outcome).toMatchObject({ id, outcome: { name: 'settled', ok: true } });
  await expect(page.locator('output')).toContainText('1 2 3 4 5 6 7 8 9 10 11 12 13 14 15');
  await expect(page.locator('p')).toHaveText('connected resumed');
  expect(runs(server)).toBe(1);
  expect(server.stats().sessions).toHaveLength(1);
});

test('a second tab shows the call, joins it by its key, and resumes it when the first is closed', async ({
  page,
  context,
  site,
  target,
}) => {
  const server = await target('resumable');
  await open(page, site, server);
  // Longer than the test: it must be open when the second tab is there.
  const id = await start(page, 3000);
  await progressed(page, 1);
  const second = await context.newPage();
  await open(second, site, server);
  expect(await start(second, 3000)).toBe(id);
  await progressed(second, 3);
  await page.close();
  await expect(second.locator('p')).toHaveText('connected resumed');
  const seen = await second.locator('progress').evaluate((bar: HTMLProgressElement) => bar.value);
  await progressed(second, seen + 1);
  await second.evaluate(() => window.mcp.find('k')?.cancel());
  await expect(second.locator('output')).toContainText('"reason":"app"');
  expect(runs(server)).toBe(1);
});

for (const way of ['Redirect', 'Popup']) {
  test(`a login of a foreign page (${way.toLowerCase()}) comes back connected`, async ({
    page,
    site,
    target,
  }) => {
    const server = await target('oauth');
    await page.goto(`${site}?server=${encodeURIComponent(server.url)}`);
    await expect(page.locator('p')).toContainText('needs-login');
    const opened = way === 'Popup' ? page.waitForEvent('popup') : Promise.resolve(page);
    await page.getByRole('button', { name: way }).click();
    const login = await opened;
    await login.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(page.locator('p')).toContainText('connected');
    expect(new URL(page.url()).searchParams.has('code')).toBe(false);
    await page.reload();
    await expect(page.locator('p')).toHaveText('connected resumed');
  });
}
