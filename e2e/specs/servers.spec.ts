// The list of servers: several at once, added in every way, edited, moved, forgotten and taken back.
import { expect, type Page } from '@playwright/test';
import { test } from './inspector.ts';

const status = (page: Page) => page.getByRole('status');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Servers' });
const item = (page: Page, name: string) =>
  dialog(page).getByRole('list', { name: 'Servers' }).getByRole('listitem', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const names = (page: Page) =>
  page.getByLabel('Server', { exact: true }).getByRole('option').allTextContents();

async function addServer(page: Page, url: string, name: string) {
  await dialog(page).getByRole('textbox', { name: 'URL' }).fill(url);
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  // It's selected, and the dialog is gone.
  await expect(dialog(page)).toBeHidden();
  await expect(status(page)).toHaveText('Connected');
  await press(page, 'Servers');
  await expect(item(page, name)).toContainText('Connected');
}

test.beforeEach(async ({ page, watch }) => {
  await watch(page).goto('./');
});

test(
  'two servers at once, each with its own calls; renamed, moved, and back after a reload',
  { tag: '@long' },
  async ({ page, context, target, watch }) => {
    const [first, second] = [await target('resumable'), await target('resumable')];
    await press(page, 'Servers');
    await addServer(page, first.url, 'one');
    await addServer(page, second.url, 'two');
    await item(page, 'one').getByRole('button', { name: 'Open' }).click();
    await page
      .getByRole('list', { name: 'Tools' })
      .getByRole('button', { name: /^countdown/ })
      .click();
    await page.getByLabel('ticks').fill('30');
    await page.getByLabel('intervalMs').fill('100');
    await press(page, 'Call');
    await page.getByLabel('Server', { exact: true }).selectOption('two');
    await expect(page.getByRole('progressbar')).toBeHidden();
    await expect.poll(() => [first.stats().calls, second.stats().calls]).toEqual([{ countdown: 1 }, {}]);

    await press(page, 'Servers');
    await item(page, 'two').getByRole('button', { name: 'Move two up' }).press('Enter');
    await expect(item(page, 'two').getByRole('button', { name: 'Move two down' })).toBeFocused();
    await item(page, 'one').getByRole('button', { name: 'Edit' }).click();
    await item(page, 'one').getByRole('textbox', { name: 'Name' }).fill('uno');
    await item(page, 'one').getByLabel('Bearer token').fill('blue');
    await item(page, 'one').getByLabel('Call timeout (seconds)').fill('1');
    await item(page, 'one').getByRole('button', { name: 'Save' }).click();
    await expect(item(page, 'uno')).toContainText('Connected');
    await page.keyboard.press('Escape');

    await page.reload();
    await expect(status(page)).toContainText('Reconnected');
    expect(await names(page)).toEqual(['two', 'uno']);
    await expect(page.getByLabel('Server', { exact: true })).toHaveValue('two');
    await page.getByLabel('Server', { exact: true }).selectOption('uno');
    await expect(page.getByRole('region', { name: 'Result' })).toContainText(/ 29 30/, { timeout: 20_000 });

    // A second tab has the same list, its own choice, and hears of what is changed here.
    const other = watch(await context.newPage());
    await other.goto('./');
    await other.getByLabel('Server', { exact: true }).selectOption('two');
    const withHeader = page.waitForRequest((request) => request.headers()['authorization'] === 'Bearer blue');
    await press(page, 'Reconnect');
    await withHeader;
    await expect(status(page)).toHaveText('Connected');
    await page.getByLabel('ticks').fill('100');
    await press(page, 'Call');
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('Running in the background');
    await press(page, 'Servers');
    await item(page, 'two').getByRole('button', { name: 'Edit' }).click();
    await item(page, 'two').getByRole('textbox', { name: 'Name' }).fill('due');
    await item(page, 'two').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => names(other)).toEqual(['due', 'uno']);
    await expect(other.getByLabel('Server', { exact: true })).toHaveValue('due');
  },
);

test('a server that is removed can be taken back, and is gone for good after that', async ({
  page,
  target,
}) => {
  const server = await target('resumable');
  await page.getByRole('textbox', { name: 'Server URL' }).fill(server.url);
  await page.keyboard.press('Enter');
  await expect(status(page)).toHaveText('Connected');
  await page
    .getByRole('list', { name: 'Tools' })
    .getByRole('button', { name: /^countdown/ })
    .click();
  const ticks = page.getByLabel('ticks');
  await ticks.fill('7');
  await page.getByText('Saved', { exact: true }).click();
  await page.getByLabel('Saved call name').fill('seven');
  await page.getByLabel('Saved call name').press('Enter');
  await expect(page.getByText('Saved (1)')).toBeVisible();
  await press(page, 'Servers');
  const forget = dialog(page).getByRole('button', { name: 'Remove' });
  await forget.click();
  await expect(dialog(page).getByText('No servers yet.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('removed, with its log');
  await press(page, 'Undo');
  await expect(forget).toBeVisible();
  await expect(dialog(page).getByRole('listitem').first()).toContainText('Connected');
  await page.reload();
  await expect(status(page)).toContainText('Reconnected');
  await expect(ticks).toHaveValue('7');
  await expect(page.getByText('Saved (1)')).toBeVisible();

  const id = await page.evaluate(async () => (await window.reprise.entries())[0]?.serverId ?? '');
  const keysOf = () =>
    page.evaluate(
      (part) =>
        [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.includes(part)),
      id,
    );
  expect((await keysOf()).length).toBeGreaterThan(2);
  await press(page, 'Servers');
  await forget.click();
  await press(page, 'Dismiss');
  await page.keyboard.press('Escape');
  await expect.poll(keysOf).toEqual([]);
  await expect(page.getByRole('button', { name: 'Open the demo' })).toBeVisible();
  await expect.poll(() => server.stats().sessions[0]?.ended).toBe('deleted');
  await page.reload();
  await expect(status(page)).toHaveText('Not connected');
});

test('a configuration is read: remote servers are added, missing values asked for, programs explained', async ({
  page,
  target,
}) => {
  const server = await target('resumable');
  const config = {
    inputs: [{ id: 'key', type: 'promptString', password: true }],
    servers: {
      remote: { type: 'http', url: server.url, headers: { Authorization: 'Bearer ${input:key}' } },
      files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/my docs'] },
    },
  };
  await press(page, 'Servers');
  const text = dialog(page).getByRole('textbox', { name: /an mcp\.json/ });
  await text.fill('{ "servers": ');
  await expect(dialog(page).getByRole('alert')).toContainText('Invalid JSON');
  await text.fill(`// from my editor\n${JSON.stringify(config, undefined, 2)}`);
  const found = dialog(page).getByRole('list', { name: 'Servers found' });
  await expect(found).toContainText('files is a stdio server');
  await expect(found).toContainText(
    "npx mcp-reprise bridge -- npx -y @modelcontextprotocol/server-filesystem '/my docs'",
  );
  await dialog(page).getByRole('textbox', { name: 'URL' }).fill('npx -y some-server');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('npx mcp-reprise bridge -- npx -y some-server');
  await press(page, 'Add 1 server');
  await expect(dialog(page).getByRole('alert')).toContainText('Enter a value for key');
  await dialog(page).getByLabel('key', { exact: true }).fill('s3cret');
  await press(page, 'Add 1 server');
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('1 server added');
  const sent = page.waitForRequest((request) => request.headers()['authorization'] === 'Bearer s3cret');
  await item(page, 'remote').getByRole('button', { name: 'Connect', exact: true }).click();
  await sent;
  await expect(item(page, 'remote')).toContainText('Connected');
});

test('a link asks before it connects, lays the tool out, and calls nothing', async ({ page, target }) => {
  const server = await target('resumable');
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(server.origin)) requests.push(request.url());
  });
  const link = new URLSearchParams({ server: server.url, tool: 'ask', args: '{"question":"Why?"}' });
  await page.goto(`./?${link}`);
  const bar = page.getByRole('region', { name: 'Link' });
  await expect(bar).toContainText(server.url);
  await expect(bar).toContainText('"question": "Why?"');
  await page.reload();
  await expect(bar).toContainText('but not call it');
  expect(requests).toEqual([]);
  await bar.getByRole('button', { name: 'Connect' }).click();
  await expect(status(page)).toHaveText('Connected');
  await expect(page.getByRole('heading', { name: 'ask' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Arguments (JSON)' })).toContainText('Why?');
  expect(new URL(page.url()).search).toBe('');
  expect(server.stats().calls).toEqual({});
  await page.goto('./?server=javascript%3Aalert(1)');
  await expect(bar).toContainText('The link has no http or https URL.');
  await expect(bar.getByRole('button', { name: 'Connect' })).toBeHidden();
  await press(page, 'Dismiss');
  await expect(bar).toBeHidden();
});

test(
  'servers are facts: when and how they were added; renaming and moving is heard in every tab',
  { tag: '@long' },
  async ({ page, context, target, watch }) => {
    const [first, second] = [await target('resumable'), await target('resumable')];
    await press(page, 'Servers');
    await addServer(page, first.url, 'one');
    await addServer(page, second.url, 'two');
    await expect(item(page, 'one')).toContainText(/Added .* by URL · Connected/);
    const other = watch(await context.newPage());
    await other.goto('./');
    await other.evaluate(() => window.reprise.ready);
    const since = await other.evaluate(
      async () => (await window.reprise.awaitActivity({ timeoutMs: 0 })).lastEventId ?? '',
    );
    /** What the other tab hears, until it has heard of a server that was removed. */
    const heard = other.evaluate(async (from) => {
      const changes: object[] = [];
      const triggers: string[] = [];
      for (let cursor = from; !triggers.includes('server_removed');) {
        const activity = await window.reprise.awaitActivity({ since: cursor });
        cursor = activity.lastEventId ?? '';
        changes.push(...activity.workspace.map(({ server, change }) => ({ server, ...change })));
        triggers.push(...activity.triggers.map(({ type }) => type));
      }
      return changes;
    }, since);
    await item(page, 'two').getByRole('button', { name: 'Move two up' }).click();
    await item(page, 'one').getByRole('button', { name: 'Edit' }).click();
    await item(page, 'one').getByRole('textbox', { name: 'Name' }).fill('uno');
    await item(page, 'one').getByRole('button', { name: 'Save' }).click();
    await item(page, 'two').getByRole('button', { name: 'Remove' }).click();
    expect(await heard).toEqual([
      { server: 'two', name: 'moved', from: 1, to: 0 },
      { server: 'uno', name: 'renamed', from: 'one' },
      { server: 'two', name: 'removed' },
    ]);

    await first.close();
    await page.waitForFunction(() => window.reprise.servers()[0]?.lastError !== undefined);
    const [server] = await page.evaluate(() => window.reprise.servers());
    expect(server).toMatchObject({
      server: 'uno',
      addedBy: 'typed',
      addedAt: expect.any(Number),
      lastError: { state: 'reconnecting', reason: expect.any(String) },
    });
    expect(server?.lastConnectedAt).toBeGreaterThanOrEqual(server?.addedAt ?? NaN);
  },
);
