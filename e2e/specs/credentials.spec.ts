// Credentials and sessions belong to the origin that they were given for, and to the servers that a link can't change.
import type { Page } from '@playwright/test';
import { expect, openTab, test } from './inspector.ts';
import { HostileServer } from './hostileServer.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Servers' });
const item = (page: Page, name: string) => dialog(page).getByRole('listitem', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const address = (page: Page) => page.getByRole('textbox', { name: 'Server URL' });
const status = (page: Page) => page.getByRole('status');
const credentials = (page: Page) => page.getByText('Authorization and headers', { exact: true });
const link = (page: Page) => page.getByRole('region', { name: 'Link' });
const hostOf = (url: string) => new URL(url).host;

/** The secrets and session IDs in what the page sends to one origin from now on. */
function watchSecrets(
  page: Page,
  origin: string,
): { readonly requests: string[]; readonly secrets: string[] } {
  const seen = { requests: [] as string[], secrets: [] as string[] };
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) return;
    seen.requests.push(request.url());
    for (const name of ['authorization', 'x-api-key', 'mcp-session-id']) {
      const value = request.headers()[name];
      if (value !== undefined) seen.secrets.push(`${name}: ${value}`);
    }
  });
  return seen;
}

test('what was typed for one origin is cleared when another is typed', async ({ inspector }) => {
  const { page } = inspector;
  const [first, second] = [await new HostileServer().start(), await new HostileServer().start()];
  await inspector.connect(first.url);
  await credentials(page).click();
  await page.getByLabel('Bearer token').fill('typed-for-first');
  await page.getByLabel('Headers (one per line)').fill('X-Api-Key: key-for-first');
  await press(page, 'Connect');
  await expect.poll(() => first.seen.at(-1)?.headers).toContain('typed-for-first');
  await expect(page.getByLabel('Bearer token'), 'it covers nothing that comes next').toBeHidden();

  const atSecond = watchSecrets(page, second.origin);
  await address(page).fill(second.url);
  await expect.soft(page.getByText(`Credentials cleared: they belong to ${first.origin}.`)).toBeVisible();
  await press(page, 'Connect');
  await expect(page.getByLabel('Server', { exact: true }).getByRole('option')).toHaveCount(2);
  // Until the second is selected, the status is that of the first.
  await expect(page.getByLabel('Server', { exact: true })).toHaveValue(`${hostOf(second.url)}/mcp`);
  await expect(status(page)).toHaveText('Connected');
  await inspector.reload();
  await inspector.page.waitForFunction(() => window.reprise.state().name === 'connected');
  expect(atSecond.requests.length).toBeGreaterThan(2);
  expect(atSecond.secrets).toEqual([]);
  expect(JSON.stringify(second.seen)).not.toMatch(/for-first/);

  // The first server still has what was given for it.
  await address(page).fill(first.url);
  first.seen = [];
  await press(page, 'Connect');
  await expect.poll(() => JSON.stringify(first.seen)).toContain('typed-for-first');
  await Promise.all([first.close(), second.close()]);
});

test('what is typed while a connection is being made stays', async ({ inspector, target }) => {
  const { page } = inspector;
  const [first, second] = [await target('stateless'), await target('stateless')];
  await inspector.connect(first.url);
  const gate: { open: () => void } = { open: () => undefined };
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  await page.route(first.url, async (route) => {
    await opened;
    await route.continue();
  });
  const asked = page.waitForRequest(first.url);
  await press(page, 'Reconnect');
  await asked;
  await address(page).fill(second.url);
  gate.open();
  await expect(status(page)).toHaveText('Connected');
  await inspector.stored();
  await expect(address(page)).toHaveValue(second.url);
  await press(page, 'Connect');
  await expect(page.getByLabel('Server', { exact: true }).getByRole('option')).toHaveCount(2);
});

test('a server that moves to another origin takes no token and no session along', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const [first, second] = [await target('resumable'), await target('resumable')];
  await inspector.connect(first.url, { name: 'mine', bearer: 'bearer-of-first' });
  const atSecond = watchSecrets(page, second.origin);
  await press(page, 'Servers');
  await item(page, 'mine').getByRole('button', { name: 'Edit' }).click();
  const [url, bearer] = [
    item(page, 'mine').getByRole('textbox', { name: 'URL' }),
    item(page, 'mine').getByLabel('Bearer token'),
  ];
  await expect(bearer).toHaveValue('bearer-of-first');
  await url.fill(second.url);
  await expect.soft(item(page, 'mine')).toContainText(`Credentials cleared: they belong to ${first.origin}.`);
  await expect.soft(bearer).toHaveValue('');
  await url.fill(first.url);
  await expect(bearer).toHaveValue('bearer-of-first');
  await url.fill(second.url);
  await item(page, 'mine').getByRole('button', { name: 'Save' }).click();
  await expect(item(page, 'mine')).toContainText(second.url);
  await inspector.reload();
  await expect.poll(() => second.stats().sessions.length).toBeGreaterThan(0);
  await page.waitForFunction(() => window.reprise.state().name === 'connected');
  const own = second.stats().sessions.map(({ id }) => `mcp-session-id: ${id}`);
  expect(atSecond.secrets.filter((sent) => !own.includes(sent))).toEqual([]);

  // Moving back doesn't bring them back either: they were removed with the address.
  const atFirst = watchSecrets(page, first.origin);
  await inspector.connect(first.url, { name: 'mine' });
  expect(atFirst.secrets.filter((sent) => sent.startsWith('authorization'))).toEqual([]);
});

test('a link with another query is another server, without the token of the one that is known', async ({
  inspector,
}) => {
  const { page } = inspector;
  const server = await new HostileServer().start();
  await inspector.connect(server.url, { bearer: 'bearer-of-known' });
  const asked = watchSecrets(page, server.origin);
  await page.goto(`./?${new URLSearchParams({ server: `${server.url}?tenant=other` })}`);
  await inspector.ready();
  await expect(link(page)).toContainText('tenant=other');
  await expect(link(page)).not.toContainText('In your list as');
  await link(page).getByRole('button', { name: 'Connect' }).click();
  await expect(status(page)).toHaveText('Connected');
  await expect
    .poll(() => asked.requests.filter((url) => url.includes('tenant=other')).length)
    .toBeGreaterThan(2);
  const options = page.getByLabel('Server', { exact: true }).getByRole('option');
  await expect(options).toHaveText([hostOf(server.url) + '/mcp', `${hostOf(server.url)}/mcp 2`]);
  expect(await page.evaluate(() => window.reprise.entries('kind:http'))).not.toEqual([]);
  const withToken = await page.evaluate(() => window.reprise.entries('kind:http'));
  expect(JSON.stringify(withToken)).not.toContain('authorization');

  await page.goto(`./#${new URLSearchParams({ server: server.url })}`);
  await expect(link(page)).toContainText(
    `In your list as ${hostOf(server.url)}/mcp. Its token and headers will be sent.`,
  );
  asked.secrets.length = 0;
  await link(page).getByRole('button', { name: 'Connect' }).click();
  await expect.poll(() => asked.secrets).toContain('authorization: Bearer bearer-of-known');
  await expect(options).toHaveCount(2);
  await server.close();
});

test(
  'credentials kept for one tab survive its reload, and no other tab has them',
  { tag: '@long' },
  async ({ inspector, context, target, watch }) => {
    const { page } = inspector;
    const server = await target('resumable');
    const sent = watchSecrets(page, server.origin);
    await address(page).fill(server.url);
    await credentials(page).click();
    await page.getByLabel('Bearer token').fill('for-this-tab');
    await page.getByLabel('Keep credentials for this tab only').check();
    await press(page, 'Connect');
    await expect(status(page)).toHaveText('Connected');
    const id = await inspector.call('countdown', { ticks: 200, intervalMs: 100 });
    await inspector.untilReceived(id, 2);
    sent.secrets.length = 0;
    await inspector.reload();
    await expect(status(page)).toContainText('Reconnected');
    expect(sent.secrets).toContain('authorization: Bearer for-this-tab');

    const other = await openTab(context, watch);
    const atOther = watchSecrets(other.page, server.origin);
    await expect(status(other.page)).toContainText('Another tab owns this connection.');
    await page.close();
    await expect(status(other.page)).toContainText('Enter the credentials again.');
    expect(atOther.requests).toEqual([]);
    await other.reload();
    await expect(status(other.page)).toContainText('Enter the credentials again.');
    expect(atOther.requests).toEqual([]);

    await credentials(other.page).click();
    await other.page.getByLabel('Bearer token').fill('typed-again');
    await press(other.page, 'Connect');
    await expect(status(other.page)).toContainText('Reconnected');
    expect(atOther.secrets).toContain('authorization: Bearer typed-again');
    await other.page.evaluate((call) => window.reprise.cancel(call), id);
    expect((await other.callNamed(id)).name).toBe('cancelled');
  },
);

test('credentials typed for one tab reach the tab that owns the connection', async ({
  inspector,
  context,
  target,
  watch,
}) => {
  const server = await target('resumable');
  await inspector.connect(server.url, { bearer: 'old-token' });
  const other = await openTab(context, watch);
  const sent = watchSecrets(inspector.page, server.origin);
  await other.page.evaluate(
    (url) => window.reprise.connect(url, { bearer: 'new-token', keepSecrets: 'tab' }),
    server.url,
  );
  // It was sent by another page than the one that has just answered.
  await expect.poll(() => sent.secrets).toContain('authorization: Bearer new-token');
});
