// What a server can make endless or huge: the page goes on, and says what it left out.
import type { Page } from '@playwright/test';
import { expect, Inspector } from './inspector.ts';
import { test } from './oddServer.ts';
import { timelineOf } from './timelinePage.ts';

/** Backtracks for hours: each letter more doubles the time. */
const ENDLESS = '^(a+)+$';
const TEXT = `${'a'.repeat(33)}!`;
/** A page that is busy for longer does not count as answering. */
const ANSWERS_MS = 5000;

const result = (page: Page) => page.getByRole('region', { name: 'Result' });

/** Fails if the main thread is held up; a timer of the page must fire meanwhile. */
async function expectAnswers(page: Page): Promise<void> {
  const beat = page.evaluate(() => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 50)));
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`The page did not answer within ${ANSWERS_MS} ms.`)), ANSWERS_MS),
  );
  expect(await Promise.race([beat, late])).toBe(true);
}

test('an output schema with an endless pattern: not checked, and every tab goes on', async ({
  inspector,
  odd,
  context,
  watch,
}) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': () => ({
      tools: [
        {
          name: 'slow',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object', properties: { text: { type: 'string', pattern: ENDLESS } } },
        },
      ],
    }),
    'tools/call': () => ({ content: [], structuredContent: { text: TEXT } }),
  });
  await inspector.connect(server.url);
  const words = 'Not checked: its pattern takes too long.';
  await inspector.untilEnded(await inspector.call('slow'));
  await expectAnswers(page);
  await expect(result(page)).toContainText(words);
  // Other work goes on meanwhile: a second call, a second check.
  await inspector.untilEnded(await inspector.call('slow'));
  await expectAnswers(page);
  await inspector.reload();
  await expectAnswers(page);
  await expect(result(page)).toContainText(words);
  const beside = await new Inspector(watch(await context.newPage())).open();
  await expectAnswers(beside.page);
  await expect(result(beside.page)).toContainText(words);
});

test('an endless pattern in a form: the call is sent, and the page says that it was not checked', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': () => ({
      tools: [
        {
          name: 'slow',
          inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: ENDLESS } } },
        },
      ],
    }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'it ran' }] }),
  });
  await inspector.connect(server.url);
  await page.getByRole('textbox', { name: 'text' }).fill(TEXT);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expectAnswers(page);
  await expect(page.getByText('Not checked: its pattern takes too long.')).toBeVisible();
  await expect(result(page)).toContainText('it ran');
  // The editor of JSON checks while one types.
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Arguments as JSON' })).toContainText(TEXT);
  await expectAnswers(page);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expectAnswers(page);
  await expect.poll(async () => (await inspector.calls()).length).toBe(2);
});

test('an ordinary pattern in a form is checked as before', async ({ inspector, odd }) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': () => ({
      tools: [
        {
          name: 'quick',
          inputSchema: { type: 'object', properties: { zip: { type: 'string', pattern: '^\\d{5}$' } } },
        },
      ],
    }),
    'tools/call': () => ({ content: [] }),
  });
  await inspector.connect(server.url);
  const field = page.getByRole('textbox', { name: 'zip' });
  await field.fill('1234');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(field).toHaveAccessibleDescription('It must match ^\\d{5}$');
  await field.fill('12345');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect.poll(async () => (await inspector.calls()).length).toBe(1);
});

test('an endless pattern as a filter: said in words, kept over a reload, and the page goes on', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': () => ({ tools: [{ name: 'slow', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: TEXT }] }),
  });
  await inspector.connect(server.url);
  await inspector.untilEnded(await inspector.call('slow'));
  const timeline = timelineOf(page);
  await timeline.region.getByRole('button', { name: 'Table' }).click();
  await timeline.filter.fill('/(a+)+$/');
  await expectAnswers(page);
  const words = 'Not searched: the pattern takes too long. Change it to search again.';
  await expect(timeline.filter).toHaveAccessibleDescription(new RegExp(words));
  await expect(timeline.rows).toHaveCount(0);
  await expect(inspector.entries('/(a+)+$/')).rejects.toThrow(words);
  await page.reload();
  await inspector.ready();
  await expectAnswers(page);
  await expect(timeline.filter).toHaveValue('/(a+)+$/');
  await expect(timeline.filter).toHaveAccessibleDescription(new RegExp(words));
  await timeline.filter.fill('kind:call');
  await expect(timeline.rows.first()).toBeVisible();
  await expect(timeline.filter).not.toHaveAccessibleDescription(new RegExp(words));
});
