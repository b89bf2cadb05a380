// Tools: found, filled in, called, called again; whatever their schemas and lists are like.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Locator, Page } from '@playwright/test';
import type { ToolDefinition } from '../../targets/core/toolTable.ts';
import { expectAccessible } from './axe.ts';
import { expect } from './inspector.ts';
import { test } from './oddServer.ts';
import { callRow, showLog } from './timelinePage.ts';
import { SCHEMAS, type SchemaCase, type Step } from './schemas.ts';
import { sectionButton } from './sections.ts';

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const tools = (page: Page) => page.getByRole('list', { name: 'Tools' });
const press = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true }).click();
const pick = (page: Page, tool: string) =>
  tools(page).getByRole('button', { name: tool, exact: true }).click();

async function take(page: Page, [does, name, text]: Step): Promise<void> {
  // `label >> 2`: the second field of this name.
  const [label = '', nth = '1'] = name.split(' >> ');
  const field = page.getByLabel(label, { exact: true }).nth(Number(nth) - 1);
  if (does === 'press') await press(page, name);
  else if (does === 'check') await field.check();
  else if (does === 'choose') await field.selectOption({ label: text ?? '' });
  else {
    // A field of one line becomes one of several.
    if (text?.includes('\n')) await field.press('Shift+Enter');
    await field.fill(text ?? '');
  }
}

/** Tools that keep what they were called with. */
function recorders(cases: readonly SchemaCase[]) {
  const received = new Map<string, unknown>();
  const definitions = cases.map(({ name, schema }): ToolDefinition => ({
    tool: { name, inputSchema: schema as ToolDefinition['tool']['inputSchema'] },
    run: async (args) => {
      received.set(name, args);
      return { content: [{ type: 'text', text: 'received' }] };
    },
  }));
  return { received, definitions };
}

test(
  'sixty schemas: each has a form that makes valid arguments, or the page says why it has none',
  { tag: '@long' },
  async ({ inspector, target }) => {
    test.setTimeout(180_000);
    const { page } = inspector;
    page.setDefaultTimeout(10_000);
    const { received, definitions } = recorders(SCHEMAS);
    const server = await target('resumable', { overrides: { extraTools: definitions } });
    await inspector.connect(server.url);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { name, schema, steps, args, says } of SCHEMAS) {
      await test.step(name, async () => {
        await pick(page, name);
        if (says) {
          await expect(page.getByText(says)).toBeVisible();
          await page.getByLabel('Arguments (JSON)').fill(JSON.stringify(args));
        }
        for (const step of steps) await take(page, step);
        await press(page, 'Call');
        const anyway = page.getByRole('button', { name: 'Call anyway' });
        // No object is a list, and nothing fits a schema without an end: a server may still be asked.
        if (name === 'root_is_a_list' || name === 'without_an_end') await anyway.click();
        await expect.poll(() => received.get(name) ?? 'nothing', { message: name }).toEqual(args);
        if (says || name === 'reference_elsewhere') return;
        const { $schema: _, ...plain } = schema as { $schema?: string };
        const dialect = name === 'draft7_tuple' ? {} : plain;
        expect(ajv.validate(dialect, received.get(name)), ajv.errorsText()).toBe(true);
      });
    }
    expect(received.size).toBe(60);
  },
);

const nested = (name: string): SchemaCase[] => SCHEMAS.filter((one) => one.name === name);

test(
  'a nested form and the editor of JSON: no serious finding of axe, and what was typed comes back',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const { definitions } = recorders([...nested('edit_file'), ...nested('http_request')]);
    const server = await target('resumable', { overrides: { extraTools: definitions } });
    await inspector.connect(server.url);
    await pick(page, 'http_request');
    await press(page, 'Add to headers');
    await page.getByLabel('Name 1').fill('accept');
    await press(page, 'Call');
    await expect(page.getByLabel('url', { exact: true })).toHaveAccessibleDescription(/Required\./);
    await expect(page.getByLabel('url', { exact: true })).toBeFocused();
    await expectAccessible(page, 'a nested form with problems');
    await inspector.reload();
    await expect(page.getByLabel('Name 1')).toHaveValue('accept');
    await press(page, 'JSON');
    const editor = page.getByLabel('Arguments (JSON)');
    await expect(editor).toContainText('"accept"');
    await expectAccessible(page, 'the editor of JSON');
  },
);

test('finds tools by name, description and what they say of themselves; follows a list that changes', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/%3E';
  const extraTools: ToolDefinition[] = [];
  const named = (name: string, more: Partial<ToolDefinition['tool']> = {}): ToolDefinition => ({
    tool: { name, inputSchema: { type: 'object' }, ...more },
    run: async () => ({ content: [] }),
  });
  extraTools.push(
    named('wipe', {
      title: 'Wipe the disk',
      annotations: { destructiveHint: true },
      icons: [{ src: icon }],
    }),
    named('far', { icons: [{ src: 'https://icons.example/far.png' }] }),
    {
      ...named('grow'),
      run: async (_args, extra) => {
        extraTools.push(named('brand_new'));
        extra.announceChange?.('tools');
        return { content: [] };
      },
    },
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const server = await target('resumable', { overrides: { extraTools } });
  await inspector.connect(server.url);
  const search = page.getByLabel('Search tools');
  await search.fill('destructive');
  await expect(tools(page).getByRole('listitem')).toHaveCount(1);
  await tools(page).getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Wipe the disk' })).toBeVisible();
  await expect(page.locator('form img').first()).toHaveAttribute('src', icon);
  await search.fill('counts ticks notification');
  await expect(tools(page).getByRole('listitem')).toHaveText(/countdown/);
  await inspector.reload();
  await expect(search).toHaveValue('counts ticks notification');
  await search.fill('nothing of this kind');
  await expect(tools(page)).toContainText('No matching tools.');
  await search.fill('');
  await inspector.untilEnded(await inspector.call('grow'));
  await expect(tools(page)).toContainText('brand_new');
  await showLog(page);
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Tools: brand_new added.');
  expect(asked.filter((url) => url.includes('icons.example'))).toEqual([]);
});

test('completes names and values by the schema in the editor of JSON, and says where they do not fit', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { received, definitions } = recorders(nested('list_pull_requests'));
  const server = await target('resumable', { overrides: { extraTools: definitions } });
  await inspector.connect(server.url);
  await pick(page, 'list_pull_requests');
  await press(page, 'JSON');
  const editor = page.getByRole('textbox', { name: 'Arguments (JSON)' });
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  // The editor takes over from a plain field, while somebody types into that.
  await editor.fill('{"owner": "o", "repo": "r", ');
  await expect(editor.and(page.locator('[contenteditable=true]'))).toBeFocused();
  await editor.press('Control+Space');
  await expect(options.filter({ hasText: '"state"' })).toBeVisible();
  await editor.pressSequentially('"sta');
  await editor.press('Control+Space');
  await expect(options).toHaveCount(1);
  // A list that is being made anew ignores a click.
  await expect(page.locator('.cm-tooltip-autocomplete-disabled')).toHaveCount(0);
  // Not by Enter: the editor takes a key that comes too soon after the list for one that was meant for the text.
  await options.click();
  await expect(editor).toContainText('"state": "open"');
  await editor.fill('{"owner": "o", "repo": "r", "state": "al"}');
  await press(page, 'Call');
  await expect(page.getByText('Arguments don’t match the schema.')).toBeVisible();
  await expect(editor).toHaveAccessibleDescription(/state/);
  expect(received.size).toBe(0);
  await inspector.reload();
  await expect(editor).toContainText('"al"');
  await editor.fill('{"owner": "o", "repo": "r", "state": "all"}');
  await editor.press('Control+Enter');
  await expect
    .poll(() => received.get('list_pull_requests'))
    .toEqual({ owner: 'o', repo: 'r', state: 'all' });
});

test('calls are saved by name, called again, and put back into the form', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url);
  await pick(page, 'countdown');
  await page.getByLabel('ticks').fill('3');
  await page.getByLabel('intervalMs').fill('0');
  await page.getByText('Saved', { exact: true }).click();
  await page.getByLabel('Saved call name').fill('short');
  await page.keyboard.press('Enter');
  await inspector.reload();
  await page.getByLabel('ticks').fill('9');
  await page.getByText('Saved (1)').click();
  await press(page.getByRole('list', { name: 'Saved calls' }), 'short');
  await expect(page.getByLabel('ticks')).toHaveValue('3');
  await press(page, 'Call');
  await expect(result(page)).toContainText('1 2 3');
  await press(result(page), 'Call again');
  await expect.poll(() => server.stats().calls).toEqual({ countdown: 2 });
  await page.getByLabel('ticks').fill('8');
  await press(result(page), 'Edit & rerun');
  await expect(page.getByLabel('ticks')).toHaveValue('3');
  await page.getByText('Saved (1)').click();
  await press(page, 'Remove short');
  await expect(page.getByRole('list', { name: 'Saved calls' })).toContainText('No saved calls.');
});

test(
  'calls that take longer than their timeout go on in the background, over a reload, and their results are kept',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const activity = page.getByRole('region', { name: 'Activity' });
    const server = await target('resumable');
    await inspector.connect(server.url);
    await pick(page, 'countdown');
    await page.getByText('Timeout', { exact: true }).click();
    await page.getByLabel('Move to background after (seconds)').fill('1');
    await page.getByLabel('ticks').fill('30');
    await page.getByLabel('intervalMs').fill('200');
    await press(page, 'Call');
    await page.getByLabel('ticks').fill('1000');
    await press(page, 'Call');
    await expect(callRow(page, /^countdown .*running/)).toHaveCount(2);
    await expect(activity.getByRole('listitem')).toHaveCount(2);
    await expect(activity).toContainText(/countdown on .* running for .*, up to \d+ (s|min) left/);
    await inspector.reload();
    await expect(activity.getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page, 'background calls');
    await press(activity.getByRole('listitem').first(), 'Cancel');
    await expect(activity).toContainText('cancelled after');
    await expect(activity).toContainText('done after', { timeout: 20_000 });
    await activity.getByRole('listitem').filter({ hasText: 'done' }).getByRole('button').click();
    await expect(result(page)).toContainText(Array.from({ length: 30 }, (_, i) => i + 1).join(' '));
    await press(activity, 'Clear finished');
    await expect(activity).toBeHidden();
  },
);

const inputSchema = { type: 'object' };
const manyTools = Array.from({ length: 5000 }, (_, i) => ({ name: `tool_${i}`, inputSchema }));

test('five thousand tools on many pages, and a description of a megabyte', async ({ inspector, odd }) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': ({ cursor }) => {
      const from = Number(cursor ?? 0);
      const first = { name: 'wordy', inputSchema, description: 'long words '.repeat(100_000) };
      return {
        tools: [...(from === 0 ? [first] : []), ...manyTools.slice(from, from + 100)],
        ...(from + 100 < manyTools.length && { nextCursor: String(from + 100) }),
      };
    },
  });
  await inspector.connect(server.url);
  await expect(await sectionButton(page, 'Tools')).toContainText('5,001');
  expect(await tools(page).getByRole('listitem').count()).toBeLessThan(1000);
  await page.getByRole('button', { name: 'Show all (1.1 MB)' }).click();
  await page.getByLabel('Search tools').fill('tool_4999');
  await tools(page).getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'tool_4999' })).toBeVisible();
  await inspector.reload();
  await expect(page.getByRole('heading', { name: 'tool_4999' })).toBeVisible();
});

const NODE = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
const ODD_LISTS: readonly (readonly [
  what: string,
  answer: (params: { cursor?: unknown }) => unknown,
  says: RegExp,
])[] = [
  [
    'a list that never ends',
    ({ cursor }) => ({
      tools: [{ name: `t${Number(cursor ?? 0)}`, inputSchema }],
      nextCursor: String(Number(cursor ?? 0) + 1),
    }),
    /Stopped after 200 pages: the list doesn’t end\./,
  ],
  [
    'a list that goes round in circles',
    () => ({ tools: [{ name: 't', inputSchema }], nextCursor: 'again' }),
    /The server returned the same page cursor twice/,
  ],
  [
    'names that come twice, and none',
    () => ({
      tools: [
        { name: 'twin', inputSchema },
        { name: 'twin', inputSchema },
        { inputSchema },
        7,
        { name: 'bare' },
      ],
    }),
    /Skipped 2 tools with no name\. Listed more than once: twin\./,
  ],
  ['no list at all', () => ({ tool: 'one' }), /The response has no “tools” array\./],
  [
    'schemas that contain themselves',
    () => ({
      tools: [{ name: 'loop', inputSchema: { ...NODE, $defs: { Node: NODE, A: { $ref: '#/$defs/A' } } } }],
    }),
    /Add next/,
  ],
];

test('odd lists are shown as far as possible, each with a word', async ({ inspector, odd }) => {
  const { page } = inspector;
  for (const [what, answer, says] of ODD_LISTS) {
    await test.step(what, async () => {
      const server = await odd({ 'tools/list': answer });
      await inspector.connect(server.url);
      await expect(page.getByRole('main')).toContainText(says);
      if (what === 'no list at all') return;
      await tools(page).getByRole('button').last().click();
      await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeVisible();
      expect(server.asked.get('tools/list')).toBeLessThanOrEqual(200);
    });
  }
});
