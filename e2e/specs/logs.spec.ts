// The server's log, its level, roots and ping.
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { textResult } from '../../targets/core/toolContext.ts';
import { defineTool } from '../../targets/core/toolTable.ts';
import { test } from './everything.ts';
import { openSection } from './sections.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Log messages' }).getByRole('listitem');

test(
  'log messages are shown, filtered, and kept within a ring',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await inspector.connect(server.url);
    await inspector.untilEnded(await inspector.call('countdown', { ticks: 3, intervalMs: 0 }));
    await openSection(page, 'Logs');
    await expect(rows(page)).toHaveCount(3);
    await server.control('announce');
    await expect(rows(page)).toHaveCount(4);
    await expect(rows(page).first()).toContainText('notice');
    await expect(rows(page).nth(1)).toContainText('tick 3 of 3');
    await page.getByLabel('Logger').selectOption('announce');
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel('Logger').selectOption('All');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('warning');
    await expect(rows(page)).toHaveText(['No messages match the filter.']);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('notice');
    await expect(rows(page)).toHaveCount(1);

    await inspector.reload();
    await expect(page.getByRole('combobox', { name: 'Show' })).toHaveValue('notice');
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('');
    await expect(rows(page)).toHaveCount(4);
    await page.getByLabel('Search', { exact: true }).fill('TICK 2');
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel('Search', { exact: true }).fill('');
    await page.getByRole('main').getByRole('button', { name: 'Clear' }).click();
    await inspector.untilEnded(await inspector.call('countdown', { ticks: 600, intervalMs: 0 }));
    await expect(rows(page)).toHaveCount(500);
    await expect(rows(page).first()).toContainText('tick 600 of 600');
  },
);

test('the level is told to the server, and again after it has restarted', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url);
  await openSection(page, 'Logs');
  await server.control('announce');
  await expect(rows(page).filter({ hasText: '{"number":1}' })).toBeVisible();
  await page.getByLabel('Server level').selectOption('error');
  await expect(page.getByText('Level set to error.')).toBeVisible();
  await server.control('announce');
  await page.getByLabel('Server level').selectOption('debug');
  await expect(page.getByText('Level set to debug.')).toBeVisible();
  await server.control('announce');
  await expect(rows(page)).toHaveText([/\{"number":3\}/, /\{"number":1\}/]);

  await page.getByLabel('Server level').selectOption('critical');
  await expect(page.getByText('Level set to critical.')).toBeVisible();
  await inspector.reload();
  await expect(page.getByLabel('Server level')).toHaveValue('critical');
  await server.control('restart');
  await expect(page.getByRole('status')).toContainText('Server restarted');
  const levels = () => inspector.entries('kind:sent method:logging/setLevel');
  await expect
    .poll(async () => (await levels()).map(({ message }) => message))
    .toMatchObject([
      { params: { level: 'error' } },
      { params: { level: 'debug' } },
      { params: { level: 'critical' } },
      { params: { level: 'critical' } },
    ]);
});

const askForRoots = defineTool({
  name: 'roots',
  title: 'Roots',
  description: 'Asks the client for its roots.',
  input: z.object({}),
  run: async (_args, context) => {
    const { asked } = await context.ask({ asked: { method: 'roots/list' } });
    return textResult(JSON.stringify(asked['roots']));
  },
});

test('roots are edited, told and kept; a ping says how long it took', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('resumable', { overrides: { extraTools: [askForRoots] } });
  await inspector.connect(server.url);
  const rootsByTool = async () => {
    const { result } = await inspector.untilEnded(await inspector.call('roots'));
    return (result as { content: [{ text: string }] }).content[0].text;
  };
  expect(await rootsByTool()).toBe('[]');
  await openSection(page, 'Client');
  const roots = page.getByRole('list', { name: 'Roots' });
  await page.getByLabel('URI').fill('http://nowhere');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Roots must be file:// URIs');
  await page.getByLabel('URI').fill('/home/ada');
  await page.getByLabel('Name').fill('Home');
  // The next one is typed while the server is still being told.
  let letThrough: () => void = () => undefined;
  const typed = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(server.url, async (route) => {
    if (route.request().postData()?.includes('roots/list_changed') ?? false) await typed;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await expect(roots).toContainText('file:///home/ada');
  await page.getByLabel('URI').fill('/half/ty');
  letThrough();
  await expect
    .poll(async () => (await inspector.entries('kind:sent method:notifications/roots/list_changed')).length)
    .toBe(1);

  await inspector.reload();
  await expect(roots).toContainText('file:///home/ada');
  await expect(page.getByLabel('URI')).toHaveValue('/half/ty');
  expect(await rootsByTool()).toBe('[{"uri":"file:///home/ada","name":"Home"}]');
  await page.getByRole('button', { name: 'Remove file:///home/ada' }).click();
  await expect(roots).toContainText('The server gets an empty list.');

  await page.getByRole('region', { name: 'Ping' }).getByRole('button', { name: 'Ping' }).click();
  await expect(page.getByRole('region', { name: 'Ping' })).toContainText(/Response time: [\d.]+ ms/);
});

test('server-everything: it hears of changed roots, and says so in its log', async ({
  inspector,
  everything,
}) => {
  const { page } = inspector;
  await inspector.connect(everything);
  await openSection(page, 'Client');
  await page.getByLabel('URI').fill('/home/ada');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Roots' })).toContainText('file:///home/ada');
  await openSection(page, 'Logs');
  // It asks once by itself, soon after the handshake, and once for each change: both may find the root.
  const told = rows(page).filter({ hasText: 'Roots updated: 1 root(s) received from client' });
  await expect(told.first()).toBeVisible();
  await page.getByLabel('Logger').selectOption('everything-server');
  await inspector.reload();
  await expect(told.first()).toBeVisible();
});
