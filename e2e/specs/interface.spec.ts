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
  await expect(changes(page)).toContainText('Changes appear here when the server offers something else.');
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
  await changes(page).getByLabel('Compare with a snapshot').setInputFiles(snapshot);
  await expect(changes(page).getByRole('status')).toHaveText('1 added.');
  await expect(listed(page)).toHaveText('Tool “third” added');
});
