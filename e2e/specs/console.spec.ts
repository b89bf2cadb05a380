// The console of the built app, during a whole story: what Svelte or the browser warns of is a fault of the page.
import { expect, test } from './inspector.ts';
import { openSection } from './sections.ts';
import { showLog } from './timelinePage.ts';

test.use({ serviceWorkers: 'allow' });

test('connect, call, answer, reload, filter, switch servers, remove: no warning in the console', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  const [first, second] = [await target('resumable'), await target('resumable')];
  const server = page.getByLabel('Server', { exact: true });
  const filter = page.getByLabel('Filter entries');
  await inspector.connect(first.url);
  const call = await inspector.call('countdown', { ticks: 3, intervalMs: 50 });
  await inspector.untilEnded(call);
  await inspector.call('ask', { question: 'Well?' });
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await inbox.getByLabel('Answer').fill('Yes.');
  await inspector.reload();
  await inbox.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('accept: Yes.');

  await inspector.connect(second.url);
  await openSection(page, 'Info');
  await server.selectOption({ index: 0 });
  await filter.fill('kind:call');
  await openSection(page, 'Logs');
  await server.selectOption({ index: 1 });
  await server.selectOption({ index: 0 });
  await expect(filter).toHaveValue('kind:call');
  await showLog(page);
  await filter.fill('kind:question');
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('answered');
  await openSection(page, 'Tools');

  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Servers' });
  const forget = dialog.getByRole('button', { name: 'Remove' });
  for (const left of [1, 0]) {
    await forget.first().click();
    await expect(forget).toHaveCount(left);
  }
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(forget).toHaveCount(1);
  await expect(page.getByRole('status')).toContainText('onnected');
  await page.keyboard.press('Escape');
  await showLog(page);
  await filter.fill('kind:session');
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('MCP');
  expect(warnings).toEqual([]);
});
