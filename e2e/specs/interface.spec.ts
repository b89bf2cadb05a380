// What a server offers, over time: kept with dates, compared in the page and with a file.
import type { Page } from '@playwright/test';
import { expect } from './inspector.ts';
import { test } from './oddServer.ts';
import { openSection } from './sections.ts';

const sum = (type: string) => ({
  name: 'sum',
  description: `Adds ${type}s.`,
  inputSchema: { type: 'object', properties: { a: { type } } },
});
const old = { name: 'old', inputSchema: { type: 'object' } };
const changes = (page: Page) => page.getByRole('region', { name: 'Changes' });
const listed = (page: Page) => changes(page).getByRole('list', { name: 'Changes' });

test('what changed in the lists is shown field by field, also after a reload, and against a snapshot', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  let tools: object[] = [sum('number'), old];
  const server = await odd({
    'tools/list': () => ({ tools }),
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
  });
  await inspector.connect(server.url);
  await openSection(page, 'Interface');
  await expect(changes(page)).toContainText(
    'Changes to the server’s tools, resources and prompts appear here.',
  );
  const saved = page.waitForEvent('download');
  await changes(page).getByRole('button', { name: 'Save snapshot' }).click();
  const snapshot = await (await saved).path();

  tools = [sum('string'), { ...old, name: 'new' }];
  await inspector.connect(server.url);
  await expect(changes(page).getByRole('status')).toHaveText('1 added, 1 removed, 1 changed.');
  const differences = ['Tool “old” removed', 'Tool “new” added', 'Tool “sum” changed'];
  for (const text of differences) await expect(listed(page)).toContainText(text);
  await expect(listed(page)).toContainText('inputSchema.properties.a.type: "number" → "string"');
  await expect(listed(page)).toContainText('description: "Adds numbers." → "Adds strings."');

  await inspector.reload();
  await expect(changes(page).getByRole('combobox', { name: 'Compare with' })).toContainText(/As of .*20\d\d/);
  for (const text of differences) await expect(listed(page)).toContainText(text);

  tools = [sum('number'), old, { ...old, name: 'third' }];
  await inspector.connect(server.url);
  const chooser = page.waitForEvent('filechooser');
  await changes(page).getByRole('button', { name: 'Compare with a snapshot…' }).click();
  await (await chooser).setFiles(snapshot);
  await expect(changes(page).getByRole('status')).toHaveText('1 added.');
  await expect(listed(page)).toHaveText('Tool “third” added');
});

test('notes for the author: deprecated parts, schemas that clients reject, and the size of each tool', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  const server = await odd({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: 'odd', version: '1' },
    }),
    'tools/list': () => ({
      tools: [
        { name: 'list.all', inputSchema: { type: 'object', properties: { ids: { type: 'array' } } } },
        old,
      ],
    }),
  });
  await inspector.connect(server.url);
  await openSection(page, 'Interface');
  const notes = page.getByRole('region', { name: 'Notes for the author' }).getByRole('listitem');
  await expect(notes).toHaveText([
    /The server declares logging, which is deprecated\./,
    /“list\.all” has a name with other characters .* Reports: openai\/codex#8174/,
    /“list\.all” has an array without items in the input schema\. VS Code rejects the tool\./,
  ]);
  const sizes = page.getByRole('region', { name: 'Size of the tool list' });
  await expect(sizes).toContainText(/2 tools, \d+ B, about \d+ tokens\./);
  await expect(sizes.getByRole('row')).toHaveText([/^Tool/, /^list\.all\s*89\s*23/, /^old\s*46\s*12/]);
});

test('a call of a stateless server that took long should be a task, and the page says so', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('modern')).url);
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 3, intervalMs: 800 }));
  await openSection(page, 'Interface');
  await expect(page.getByRole('region', { name: 'Notes for the author' })).toContainText(
    /“countdown” took \d\.\d s, and a reload cancels it\. Run it as a task/,
  );
});
