// Nothing that a server sends, and nothing that is stored of it, keeps the page from starting or takes other servers with it.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { copiedBy } from './copiedBy.ts';
import { damageRecords, expect, openTab, storedKeys } from './inspector.ts';
import { Messages, test } from './oddServer.ts';
import { openSection, pick } from './sections.ts';
import { showLog } from './timelinePage.ts';

/** JSON that throws where it is coerced to text. */
const THROWS = { toString: null, valueOf: null };

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const text = (value: string) => ({ type: 'text', text: value });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const heldBack = (page: Page) => page.getByRole('region', { name: 'Servers that aren’t open' });

async function expectStarted(page: Page) {
  await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
  await expect(page.getByText('Reprise couldn’t start')).toHaveCount(0);
}

test(
  'a server whose schema throws when it is coerced does not end the app',
  { tag: '@long' },
  async ({ inspector, odd, target, context, watch }) => {
    const good = await target('resumable');
    await inspector.connect(good.url, { name: 'good' });
    const nested = {
      type: 'object',
      required: [THROWS],
      properties: { a: { type: 'string' } },
      oneOf: [
        { properties: { a: { const: THROWS } } },
        { properties: { b: { type: 'string', enum: [THROWS] } } },
      ],
    };
    const schema = { type: 'object', required: ['nested', THROWS], properties: { nested } };
    const server = await odd({ 'tools/list': () => ({ tools: [tool('odd', { inputSchema: schema })] }) });
    await inspector.connect(server.url, { name: 'odd' });
    await inspector.reload();
    await expectStarted(inspector.page);
    await expect(inspector.page.getByRole('list', { name: 'Tools' })).toContainText('odd');

    // A new tab selects the last server, and the other one works there.
    const second = await openTab(context, watch);
    await expectStarted(second.page);
    await second.page.evaluate(() => window.reprise.select('good'));
    await expect(second.page.getByRole('list', { name: 'Tools' })).toContainText('countdown');
  },
);

test('a result that throws when it is coerced is drawn, also after a reload and in a new tab', async ({
  inspector,
  odd,
  context,
  watch,
}) => {
  const annotations = { audience: [THROWS], priority: THROWS, lastModified: THROWS };
  const server = await odd({
    'tools/list': () => ({ tools: [tool('odd')] }),
    'tools/call': () => ({
      content: [{ ...text('drawn'), annotations }, THROWS],
      structuredContent: { a: THROWS },
    }),
  });
  await inspector.connect(server.url);
  await inspector.untilEnded(await inspector.call('odd'));
  await expect(result(inspector.page)).toContainText('drawn');
  await inspector.reload();
  await expectStarted(inspector.page);
  await expect(result(inspector.page)).toContainText('drawn');
  const second = await openTab(context, watch);
  await expect(result(second.page)).toContainText('drawn');
});

test('Markdown of 3000 quotes is shown as text', async ({ inspector, odd }) => {
  const server = await odd({
    'tools/list': () => ({ tools: [tool('deep')] }),
    'tools/call': () => ({ content: [text(`# Title\n\n${'>'.repeat(3000)} deep`), text('# Next')] }),
  });
  await inspector.connect(server.url);
  await inspector.untilEnded(await inspector.call('deep'));
  await expect(result(inspector.page)).toContainText('>>> deep');
  await expect(result(inspector.page).getByRole('heading', { name: 'Next' })).toBeVisible();
});

test('two prompt arguments of one name are two fields', async ({ inspector, odd }) => {
  const { page } = inspector;
  const twice = { name: 'same', description: 'given twice' };
  const server = await odd({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { prompts: {} },
      serverInfo: { name: 'odd', version: '1' },
    }),
    'prompts/list': () => ({ prompts: [{ name: 'twin', arguments: [twice, twice] }] }),
  });
  await inspector.connect(server.url);
  await openSection(page, 'Prompts');
  await pick(page, 'Prompts', 'twin');
  await expect(page.getByRole('form', { name: 'Prompt' }).getByRole('textbox', { name: 'same' })).toHaveCount(
    2,
  );
});

test('two questions whose servers and ids spell the same are two cards', async ({ inspector, odd }) => {
  const { page } = inspector;
  const asking = (id: string, message: string) => ({
    'tools/list': () => ({ tools: [tool('ask')] }),
    'tools/call': () =>
      new Messages({
        jsonrpc: '2.0',
        id,
        method: 'elicitation/create',
        params: { message, requestedSchema: { type: 'object', properties: {} } },
      }),
  });
  await inspector.connect((await odd(asking('mcp/1', 'First?'))).url, { name: 'x' });
  await inspector.call('ask');
  await inspector.connect((await odd(asking('1', 'Second?'))).url, { name: 'x/mcp' });
  await inspector.call('ask');
  const cards = page.getByRole('list', { name: 'Open requests' }).getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(0)).toContainText('First?');
  await expect(cards.nth(1)).toContainText('Second?');
});

test('a question names its server apart from the tool', async ({ inspector, odd }) => {
  const name = 'ask on trusted.example/mcp,';
  const params = { message: 'Your password?', requestedSchema: { type: 'object', properties: {} } };
  const server = await odd({
    'tools/list': () => ({ tools: [tool(name)] }),
    'tools/call': () => new Messages({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params }),
  });
  await inspector.connect(server.url, { name: 'evil' });
  await inspector.call(name);
  const card = inspector.page.getByRole('list', { name: 'Open requests' }).getByRole('listitem');
  await expect(card.locator('p').first()).toContainText('evil ·');
  await expect(card.locator('p').first()).not.toContainText('trusted.example');
  await expect(card.locator('p').nth(1)).toHaveText(`Tool: ${name}`);
});

test('a stored list that cannot be drawn costs its own part of the page, and another tool brings it back', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': () => ({ tools: [tool('good'), tool('bad')] }),
    ping: () => {
      throw new Error('This server does not come back.');
    },
  });
  await inspector.connect(server.url);
  await inspector.stored();
  await page.evaluate(() => window.reprise.disconnect());
  // As a bug or another program would leave it: the page believes what it has stored.
  const lists = {
    tools: [tool('good'), tool('bad', { description: { length: 5000 } })],
    resources: [],
    prompts: [],
  };
  expect(await damageRecords(page, 'lists$', { ...lists, resourceTemplates: [], problems: {} })).toBe(1);
  await inspector.reloadAtOnce();
  await expectStarted(page);
  const tools = page.getByRole('list', { name: 'Tools' });
  await tools.getByRole('button', { name: 'bad' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This tool can’t be displayed.' })).toBeVisible();
  await expect(page.getByText('"length":5000')).toBeVisible();
  await tools.getByRole('button', { name: 'good' }).click();
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeVisible();
  await expect(page.getByText('can’t be displayed')).toHaveCount(0);
});

test(
  'a start that fails names its server, and the next one does not select it',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await inspector.connect(server.url, { name: 'good' });
    await inspector.connect(server.url, { name: 'suspect' });
    await inspector.stored();
    await breakNextStart(page);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Reprise couldn’t start.' })).toBeVisible();
    const named = page.getByRole('listitem', { name: 'suspect' });
    await expect(named.getByRole('button', { name: 'Export' })).toBeVisible();
    await expect(page.getByRole('listitem', { name: 'good' })).toHaveCount(0);

    await page.reload();
    await inspector.ready();
    await expectStarted(page);
    await expect(page.getByRole('combobox', { name: 'Server' })).toHaveValue(/good/);
    const entry = heldBack(page).getByRole('listitem', { name: 'suspect' });
    await expect(entry).toContainText('didn’t finish starting');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      entry.getByRole('button', { name: 'Export' }).click(),
    ]);
    const log = JSON.parse(await readFile(await download.path(), 'utf8')) as {
      format: string;
      entries: object[];
    };
    expect(log.format).toBe('reprise-log');
    expect(log.entries.length).toBeGreaterThan(3);

    await entry.getByRole('button', { name: 'Open it anyway' }).click();
    await expect(page.getByRole('combobox', { name: 'Server' }).locator('option:checked')).toHaveText(
      'suspect',
    );
    await expect(heldBack(page)).toHaveCount(0);
    await inspector.reload();
    await expect(page.getByRole('combobox', { name: 'Server' }).locator('option:checked')).toHaveText(
      'suspect',
    );
  },
);

test(
  'a server that a start failed with can be removed, there and at the next start',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await inspector.connect(server.url, { name: 'first' });
    await inspector.connect(server.url, { name: 'second' });
    await inspector.stored();
    await breakNextStart(page);
    await page.reload();
    const named = page.getByRole('listitem', { name: 'second' });
    await named.getByRole('button', { name: 'Remove' }).click();
    await named.getByRole('group').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('“second” removed.')).toBeVisible();

    await breakNextStart(page);
    await page.reload();
    await expect(page.getByRole('listitem', { name: 'first' })).toBeVisible();
    await page.reload();
    await inspector.ready();
    await heldBack(page).getByRole('button', { name: 'Remove' }).click();
    await expect(heldBack(page)).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Server URL' })).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const notes = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('starting')));
    await expect.poll(notes).toEqual([]);
  },
);

test('a server whose log cannot be restored leaves the others alone, and can be exported and removed', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url, { name: 'broken' });
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 1, intervalMs: 1 }));
  await inspector.stored();
  const [key = ''] = await storedKeys(page, '^servers/.*/log/head$');
  await page.evaluate(() => window.reprise.disconnect());
  await inspector.connect(server.url, { name: 'good' });
  await inspector.stored();
  const head = {
    v: 3,
    head: { load: 1, nextSeq: 5, state: {}, streams: [5], calls: [null], questions: [null] },
    segments: [],
  };
  expect(await damageRecords(page, `^${key.replace(/[^\w]/g, '\\$&')}$`, head)).toBe(1);
  await inspector.reloadAtOnce();
  await expectStarted(page);
  await expect(page.getByRole('list', { name: 'Tools' })).toContainText('countdown');
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 1, intervalMs: 1 }));

  const entry = heldBack(page).getByRole('listitem', { name: 'broken' });
  await expect(entry).toContainText('Can’t open this server');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    entry.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('countdown');
  await entry.getByRole('button', { name: 'Remove' }).click();
  await expect(heldBack(page)).toHaveCount(0);
});

test('characters that reorder or hide text are marked, and copied as they are', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const OVERRIDE = '\u202E';
  const HIDDEN = '\u200B\u{E0041}';
  const server = await odd({
    'tools/list': () => ({
      tools: [
        tool(`safe${OVERRIDE}fdp`, { title: `A${HIDDEN} title`, description: `Says ${OVERRIDE}esrever` }),
      ],
    }),
    'tools/call': () => ({ content: [text(`left ${OVERRIDE}thgir`)] }),
  });
  await inspector.connect(server.url);
  await inspector.untilEnded(await inspector.call(`safe${OVERRIDE}fdp`));
  await expect(page.getByRole('list', { name: 'Tools' })).toContainText('safe‹U+202E›fdp');
  await expect(page.getByRole('heading', { name: 'A‹U+200B›‹U+E0041› title' })).toBeVisible();
  await expect(page.locator('#tool-form')).toContainText('Says ‹U+202E›esrever');
  await expect(result(page)).toContainText('left ‹U+202E›thgir');
  await showLog(page);
  await expect(page.getByRole('listbox', { name: 'Entries' })).toContainText('‹U+202E›');
  const drawn = await page.evaluate(() => document.documentElement.outerHTML);
  expect(drawn).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/);
  expect(
    await copiedBy(page, () => result(page).getByRole('button', { name: 'Copy', exact: true }).click()),
  ).toContain(`left ${OVERRIDE}thgir`);
});

/** The page fails while it is drawn, once: as a value would make it fail that no part of it expects. */
async function breakNextStart(page: Page) {
  await page.evaluate(() => sessionStorage.setItem('break', 'once'));
  await page.addInitScript(() => {
    if (sessionStorage.getItem('break') === null) return;
    sessionStorage.removeItem('break');
    Object.defineProperty(document, 'title', {
      set() {
        throw new Error('This start fails.');
      },
    });
  });
}
