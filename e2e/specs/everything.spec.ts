// The public reference server by role and keyboard: tools, results and questions, each with a reload in its middle.
import type { Page } from '@playwright/test';
import { test } from './everything.ts';
import { expect } from './inspector.ts';
import { openSection } from './sections.ts';
import { showLog, timelineOf } from './timelinePage.ts';

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const inbox = (page: Page) => page.getByRole('region', { name: 'Inbox' });
const tools = (page: Page) => page.getByRole('list', { name: 'Tools' });
const field = (page: Page, name: string) => page.getByRole('main').getByLabel(name, { exact: true });

/** Finds a tool by typing, and opens it by key. */
async function find(page: Page, tool: string) {
  await page.getByRole('searchbox', { name: 'Search tools' }).fill(tool);
  await tools(page).getByRole('button', { name: tool, exact: true }).press('Enter');
}

test('tools and results: found, filled in before and after a reload, called by key, shown as what they are', async ({
  inspector,
  everything,
}) => {
  const { page } = inspector;
  await inspector.connect(everything);
  // The log was still empty when the timeline was first drawn: it is counted from its first entry all the same.
  await showLog(page);
  await expect(timelineOf(page).rows.first()).toContainText(/^\s*\+\d{1,2}\.\d\d s/);
  await find(page, 'get-sum');
  await expect(page.getByRole('main')).toContainText('read-only');
  await field(page, 'a').fill('40');
  await inspector.reload();
  await expect(page.getByRole('searchbox', { name: 'Search tools' })).toHaveValue('get-sum');
  await expect(field(page, 'a')).toHaveValue('40');
  await field(page, 'a').press('Control+Enter');
  await expect(field(page, 'b')).toHaveAccessibleDescription(/Required\./);
  await field(page, 'b').fill('2');
  await page.keyboard.press('Control+Enter');
  await expect(result(page)).toContainText('The sum of 40 and 2 is 42.');

  await find(page, 'get-structured-content');
  await field(page, 'location').selectOption('Chicago');
  await field(page, 'location').press('Control+Enter');
  await expect(result(page)).toContainText('Matches the output schema');
  await expect(
    result(page)
      .getByRole('treeitem', { name: /conditions.*Light rain \/ drizzle/ })
      .first(),
  ).toBeVisible();

  await find(page, 'get-tiny-image');
  await page.getByRole('button', { name: 'Call', exact: true }).press('Enter');
  await expect(result(page).getByRole('img', { name: 'image, image/png' })).toHaveJSProperty(
    'complete',
    true,
  );

  await find(page, 'get-resource-links');
  await page.getByRole('button', { name: 'Call', exact: true }).press('Enter');
  await result(page).getByRole('button', { name: 'Open', exact: true }).nth(1).press('Enter');
  await expect(result(page)).toContainText('Resource 2: This is a plaintext resource');
});

test(
  'a long call, a sampling request and an address: what a reload interrupts goes on, beside another server',
  { tag: '@long' },
  async ({ inspector, everything, target }) => {
    const { page } = inspector;
    const other = await target('resumable');
    await inspector.connect(other.url);
    await inspector.connect(everything);
    await find(page, 'trigger-long-running-operation');
    await field(page, 'duration').fill('3');
    await field(page, 'steps').fill('6');
    await page.keyboard.press('Control+Enter');
    const now = () => page.getByRole('progressbar').getAttribute('aria-valuenow');
    await expect.poll(async () => Number(await now())).toBeGreaterThanOrEqual(1);
    await inspector.reload();
    await expect(result(page)).toContainText(
      'Long running operation completed. Duration: 3 seconds, Steps: 6.',
      { timeout: 20_000 },
    );
    const [call] = await inspector.calls();
    expect(call?.received).toBe(7);

    await inspector.call('trigger-sampling-request', { prompt: 'Say hello.' });
    await expect(inbox(page)).toContainText('You are a helpful test server.');
    await inbox(page).getByLabel('Reply').fill('Hel');
    await inspector.reload();
    await expect(inbox(page).getByLabel('Reply')).toHaveValue('Hel');
    await inbox(page).getByLabel('Reply').fill('Hello.');
    await inbox(page).getByRole('button', { name: 'Send' }).press('Enter');
    await expect(result(page)).toContainText('Hello.');

    await inspector.call('trigger-url-elicitation', { url: 'https://example.com/over/there' });
    await expect(inbox(page)).toContainText('https://example.com/over/there');
    await inspector.reload();
    await inbox(page).getByRole('button', { name: 'Decline', exact: true }).press('Enter');
    await expect(result(page)).toContainText(/declin/i);

    await openSection(page, 'Info');
    await expect(page.getByRole('main')).toContainText('mcp-servers/everything');
    await page.getByLabel('Server', { exact: true }).selectOption({ index: 0 });
    await expect(tools(page)).toContainText('countdown');
    await expect(page.getByRole('status')).toContainText(/[Cc]onnected\./);
  },
);

test(
  'an elicitation as a task: the server polls the page, and gets the answer that was given after a reload',
  { tag: '@long' },
  async ({ inspector, everything }) => {
    const { page } = inspector;
    await inspector.connect(everything);
    await expect(tools(page)).toContainText('trigger-sampling-request-async');
    await find(page, 'trigger-elicitation-request-async');
    await page.getByRole('button', { name: 'Call', exact: true }).press('Enter');
    await expect(inbox(page)).toContainText('(async task demo)');
    await inspector.reload();
    await inbox(page).getByLabel('Your Name').fill('Ada');
    await inbox(page).getByRole('button', { name: 'Submit' }).press('Enter');
    // This server sends nothing more on a stream that was resumed, until the page resumes it again.
    await expect(result(page)).toContainText('[COMPLETED]', { timeout: 30_000 });
    await expect(result(page)).toContainText('- Name: Ada');
    const sent = (await inspector.entries('kind:sent')).map(({ message }) => JSON.stringify(message));
    expect(sent.filter((text) => text.includes('"Ada"'))).toHaveLength(1);
  },
);
