// A name is only a name: no server's name reaches what belongs to another server, or to the app.
import type { Page } from '@playwright/test';
import { copiedBy } from './copiedBy.ts';
import { expect, test } from './inspector.ts';
import { openSection } from './sections.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Servers' });
const item = (page: Page, name: string) => dialog(page).getByRole('listitem', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const serverList = (page: Page) => page.getByLabel('Server', { exact: true });

/** But for the page's own, which is only there to be lost. */
const heldLocks = (page: Page) =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.flatMap(({ name = '' }) => (name.startsWith('reprise.page/') ? [] : [name]));
  });

test('servers named as the app’s own locks block nothing', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('resumable');
  const names = ['servers', 'server-list', 'logins', `auth/${server.url}`, 'upgrade', '../x', '%2F'];
  const config = { mcpServers: Object.fromEntries(names.map((name) => [name, { url: server.url }])) };
  await press(page, 'Servers');
  await dialog(page)
    .getByRole('textbox', { name: /an mcp\.json/ })
    .fill(JSON.stringify(config));
  await press(page, `Add ${names.length} servers`);
  await item(page, 'servers').getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(item(page, 'servers')).toContainText('Connected');
  // The list's own lock is held while servers are still being added.
  const ofServer = expect.stringMatching(/^reprise\/server\/[0-9A-Z]{26}$/);
  await expect.poll(() => heldLocks(page)).toEqual(names.map(() => ofServer));
  await inspector.reload();
  // The list of servers can still be changed.
  await inspector.connect(server.url, { name: 'one more' });
  await page.evaluate(() => window.reprise.disconnect({ forget: true }));
  await expect(serverList(page).getByRole('option')).toHaveText(names);
});

test('removing a server leaves the log of one whose name begins alike', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('resumable');
  const host = new URL(server.url).host;
  await inspector.connect(server.url);
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  await inspector.connect(server.url, { name: host });
  await page.evaluate(() => window.reprise.disconnect({ forget: true }));
  await inspector.reload();
  await expect(serverList(page).getByRole('option')).toHaveText([`${host}/mcp`]);
  expect(await inspector.entries('kind:call')).not.toEqual([]);
  expect(await inspector.calls()).toMatchObject([{ tool: 'countdown', name: 'settled' }]);
});

test('a server is found by its name and by its ID, and keeps its log when it is renamed', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url, { name: 'first' });
  const call = await inspector.call('countdown', { ticks: 2, intervalMs: 10 });
  await inspector.expectWhole(call, 2);
  const [entry] = await inspector.entries();
  const { serverId = '' } = entry ?? {};
  expect(entry?.server).toBe('first');
  expect(serverId).toMatch(/^[0-9A-Z]{26}$/);
  expect(await inspector.calls()).toMatchObject([{ id: call, server: 'first', serverId }]);
  await inspector.connect(server.url, { name: 'second' });
  await page.evaluate((id) => window.reprise.select(id), serverId);
  expect(await inspector.calls()).toMatchObject([{ id: call }]);
  await page.evaluate(() => window.reprise.select('second'));
  expect(await inspector.calls()).toEqual([]);
  await expect(page.evaluate(() => window.reprise.select('nowhere'))).rejects.toThrow(
    /No server named “nowhere”/,
  );

  await press(page, 'Servers');
  await item(page, 'first').getByRole('button', { name: 'Edit' }).click();
  await item(page, 'first').getByRole('textbox', { name: 'Name' }).fill('second');
  await item(page, 'first').getByRole('button', { name: 'Save' }).click();
  await expect(item(page, 'first').getByRole('alert')).toHaveText('Another server is named “second”.');
  await item(page, 'first').getByRole('textbox', { name: 'Name' }).fill('renamed');
  await item(page, 'first').getByRole('button', { name: 'Save' }).click();
  await item(page, 'renamed').getByRole('button', { name: 'Open' }).click();
  await inspector.reload();
  expect(await inspector.calls()).toMatchObject([{ id: call, server: 'renamed', serverId }]);
  expect((await inspector.entries())[0]).toMatchObject({ server: 'renamed', serverId });
  // A server whose ID is the name of another: the ID wins.
  await inspector.connect(server.url, { name: serverId });
  await page.evaluate((id) => window.reprise.select(id), serverId);
  expect(await inspector.calls()).toMatchObject([{ id: call, server: 'renamed' }]);

  const activity = await page.evaluate(() => window.reprise.awaitActivity({ since: '', timeoutMs: 1000 }));
  expect(activity.events).toContainEqual(
    expect.objectContaining({ server: 'renamed', serverId, events: expect.any(Array) }),
  );
});

test('links that the app makes keep the server and its arguments out of the host’s logs', async ({
  inspector,
  context,
  target,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url, { name: 'linked' });
  await openSection(page, 'Info');
  const made = new URL(await copiedBy(page, () => press(page, 'Copy link')));
  expect(made.search).toBe('');
  expect(new URLSearchParams(made.hash.slice(1)).get('server')).toBe(server.url);
  // In a page that is open already, a link changes nothing but the fragment.
  await page.goto(made.href);
  const bar = page.getByRole('region', { name: 'Link' });
  await expect(bar).toContainText('In your list as linked');
  await page.reload();
  await expect(bar).toContainText('In your list as linked');
  await bar.getByRole('button', { name: 'Connect' }).click();
  await expect(bar).toBeHidden();
  expect(new URL(page.url()).hash).toBe('');
  await page.goto(
    `./#${new URLSearchParams({ server: server.url, tool: 'ask', args: '{"question":"Why?"}' })}`,
  );
  await expect(bar).toContainText('"question": "Why?"');
});
