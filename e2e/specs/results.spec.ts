// Results: every kind of content, errors told apart, and what is big or odd.
import type { Locator, Page } from '@playwright/test';
import type { ToolDefinition } from '../../targets/core/toolTable.ts';
import { expectAccessible } from './axe.ts';
import { copiedBy } from './copiedBy.ts';
import { expect } from './inspector.ts';
import { test } from './oddServer.ts';
import { callRow } from './timelinePage.ts';

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).click();

const inputSchema = { type: 'object' } as const;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Eight silent samples. */
const SOUND = Buffer.from(
  'RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x08\0\0\0'.concat(
    '\x80'.repeat(8),
  ),
  'latin1',
).toString('base64');
const HARM = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>';
const MARKDOWN = `# A title\n\nSome **bold** words, [a link](https://example.com/), [a trap](javascript:window.harmed=1).\n\n${HARM}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`;

const CONTENT = [
  { type: 'text', text: MARKDOWN },
  {
    type: 'text',
    text: '{"deep":{"list":[1,2,{"name":"needle"}]}}',
    annotations: { audience: ['user'], priority: 1 },
  },
  { type: 'image', mimeType: 'image/png', data: PIXEL },
  { type: 'audio', mimeType: 'audio/wav', data: SOUND },
  {
    type: 'resource',
    resource: { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'embedded notes' },
  },
  { type: 'resource', resource: { uri: 'file:///a.zip', mimeType: 'application/zip', blob: 'UEsDBA==' } },
  { type: 'resource_link', uri: 'note://one', name: 'Note one', mimeType: 'text/plain' },
  { type: 'resource_link', uri: 'note://gone', name: 'A note that is gone' },
  { type: 'hologram', rays: 7 },
  'not an object',
];

test(
  'every kind of content, each in its form, and all of it after a reload',
  { tag: '@long' },
  async ({ inspector, odd }) => {
    const { page } = inspector;
    const server = await odd({
      'tools/list': () => ({
        tools: [
          {
            name: 'everything',
            inputSchema,
            outputSchema: { type: 'object', properties: { rows: { type: 'array' } } },
          },
        ],
      }),
      'tools/call': () => ({
        content: CONTENT,
        structuredContent: {
          rows: [
            { city: 'Bonn', people: 336_465 },
            { city: 'Köln', people: 1_084_831 },
          ],
        },
      }),
      'resources/read': ({ uri }) => {
        if (uri !== 'note://one') throw new Error('It is gone.');
        return { contents: [{ uri, mimeType: 'text/plain', text: 'the note, read in place' }] };
      },
    });
    await inspector.connect(server.url);
    await press(page, 'Call');
    const look = async () => {
      await expect(result(page).getByRole('heading', { name: 'A title' })).toBeVisible();
      await expect(result(page).getByRole('link', { name: 'a link' })).toHaveAttribute(
        'href',
        'https://example.com/',
      );
      await expect(result(page).getByRole('link', { name: 'a trap' })).toHaveCount(0);
      await expect(result(page).getByText('<script>window.harmed=1</script>').first()).toBeVisible();
      await expect(result(page).getByRole('img', { name: 'image, image/png' })).toHaveJSProperty(
        'naturalWidth',
        1,
      );
      await expect(result(page).locator('audio')).toHaveJSProperty('error', null);
      await expect(result(page)).toContainText('embedded notes');
      await expect(result(page)).toContainText('for user, priority 1');
      await expect(result(page)).toContainText('Unsupported content type: hologram');
      await expect(result(page).getByRole('cell', { name: '1084831' })).toBeVisible();
      await expect(result(page)).toContainText('Matches the output schema');
      expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    };
    await look();
    await press(result(page).locator('p', { hasText: 'Note one' }), 'Open');
    await expect(result(page)).toContainText('the note, read in place');
    await expectAccessible(page, 'a result of everything');
    await inspector.reload();
    await look();

    const download = page.waitForEvent('download');
    await press(result(page).locator('div.block', { hasText: 'a.zip' }), 'Download');
    expect((await download).suggestedFilename()).toBe('a.zip');
  },
);

test(
  'a tree is walked by keyboard and searched, its paths are copied; raw is one key away',
  { tag: '@long' },
  async ({ inspector, odd, context }) => {
    const { page } = inspector;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const server = await odd({
      'tools/list': () => ({ tools: [{ name: 'deep', inputSchema }] }),
      'tools/call': () => ({
        content: [
          {
            type: 'text',
            text: JSON.stringify({
              first: 1,
              list: Array.from({ length: 5000 }, (_, i) => ({ 'item id': i })),
            }),
          },
        ],
      }),
    });
    await inspector.connect(server.url);
    await press(page, 'Call');
    const tree = result(page).getByRole('tree', { name: 'JSON' });
    await tree.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await expect(tree.getByRole('treeitem', { selected: true })).toHaveText(/list\s*:\s*\[5,000\]/);
    await page.keyboard.press('ArrowRight');
    await expect(tree.getByRole('treeitem', { selected: true })).toHaveAttribute('aria-expanded', 'true');
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(60);
    await page.keyboard.press('End');
    await expect(tree.getByRole('treeitem', { selected: true })).toHaveText(/4999/);

    await result(page).getByLabel('Search in JSON').fill('4321');
    await expect(tree.getByRole('treeitem', { selected: true })).toHaveText(/item id\s*:\s*4321/);
    expect(await copiedBy(page, () => press(result(page), 'Copy path'))).toBe('$.list[4321]["item id"]');
    await expectAccessible(page, 'a tree');

    await page.getByRole('heading', { name: 'Reprise' }).click();
    await page.keyboard.press('r');
    await expect(result(page)).toContainText('"type": "text"');
    await inspector.reload();
    await expect(result(page)).toContainText('"type": "text"');
    await page.keyboard.press('r');
    await expect(tree).toBeVisible();
  },
);

const TOOLS: readonly ToolDefinition[] = [
  {
    tool: {
      name: 'liar',
      inputSchema,
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    },
    run: async () => ({ content: [], structuredContent: { n: 'many' } }),
  },
];

test('errors are told apart, and a result that breaks its schema is found out', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable', { overrides: { extraTools: TOOLS } });
  await inspector.connect(server.url);
  const says = async (tool: string, ...words: readonly (string | RegExp)[]) => {
    await inspector.untilEnded(await inspector.call(tool, {}));
    await callRow(page, new RegExp(`^${tool}\\b`))
      .first()
      .click();
    for (const word of words) await expect(result(page)).toContainText(word);
  };
  await says('fail', 'Tool error', 'The tool returned an error:', 'Failed on purpose');
  await says('crash', 'Protocol error -32050', 'Crashed on purpose', 'Error data');
  await says('liar', 'Doesn’t match the output schema', '/n');
  await page.route(server.url, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'oh' }) : route.continue(),
  );
  await says('countdown', /HTTP error 500/);
});

test(
  'a result of 10 MB: the page answers all the time, in every view',
  { tag: '@long' },
  async ({ inspector, odd }) => {
    const { page } = inspector;
    const rows = Array.from({ length: 100_000 }, (_, i) => ({
      id: i,
      name: `row ${i}`,
      text: 'x'.repeat(60),
    }));
    const server = await odd({
      'tools/list': () => ({ tools: [{ name: 'huge', inputSchema }] }),
      'tools/call': () => ({
        content: [{ type: 'text', text: JSON.stringify(rows) }],
        structuredContent: { rows },
      }),
    });
    await inspector.connect(server.url);
    await page.evaluate(() => {
      const longest = { ms: 0 };
      Object.assign(window, { longest });
      let last = performance.now();
      setInterval(() => {
        longest.ms = Math.max(longest.ms, performance.now() - last);
        last = performance.now();
      }, 50);
    });
    await press(page, 'Call');
    await expect(result(page).getByRole('cell', { name: 'row 99', exact: true })).toBeVisible({
      timeout: 30_000,
    });
    await expect(result(page).getByRole('tree').first()).toBeVisible();
    await result(page).getByRole('group', { name: 'Structured content view' }).getByText('Tree').click();
    const search = result(page).getByLabel('Search in Structured content');
    await search.fill('row 99999');
    await expect(result(page).getByRole('treeitem', { selected: true })).toContainText('row 99999', {
      timeout: 30_000,
    });
    await press(result(page), 'Raw JSON');
    await expect(result(page)).toContainText('Showing the first 200 KB.');
    const longestMs = await page.evaluate(
      () => (window as unknown as { longest: { ms: number } }).longest.ms,
    );
    console.log(`    longest the page did not answer: ${Math.round(longestMs)} ms`);
    expect(longestMs).toBeLessThan(5000);
  },
);
