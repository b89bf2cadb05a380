// The calls: one list with lanes, one selection, one set of details; found, compared, cleared, called again.
import type { Page } from '@playwright/test';
import { expect, test } from './inspector.ts';
import { callRow, timelineOf } from './timelinePage.ts';

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const tab = (page: Page, name: RegExp) => result(page).getByRole('tab', { name });
const selected = (page: Page) =>
  timelineOf(page).region.getByRole('listbox', { name: 'Calls' }).getByRole('option', { selected: true });

test('one selection for the list and the details, by key and by click, and each tab tells its part', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 2, intervalMs: 0 }));
  await inspector.untilEnded(await inspector.call('fail', { afterMs: 0 }));
  await expect(selected(page)).toContainText('fail');
  await expect(result(page)).toContainText('fail · tool error');
  await page.getByRole('listbox', { name: 'Calls' }).press('ArrowDown');
  await expect(selected(page)).toContainText('{ticks: 2, intervalMs: 0}');
  await expect(result(page)).toContainText('1 2');
  const fullScreen = () => page.evaluate(() => document.fullscreenElement?.textContent ?? '');
  await page.keyboard.press('Shift+F');
  await expect.poll(fullScreen).toContain('1 2');
  await page.keyboard.press('Shift+F');
  await expect.poll(fullScreen).toBe('');

  await tab(page, /^Arguments/).click();
  await expect(result(page).getByRole('tabpanel')).toContainText('intervalMs');
  await tab(page, /^Messages/).click();
  const messages = result(page).getByRole('listbox', { name: 'Messages' });
  await messages
    .getByRole('option', { name: /notifications\/progress/ })
    .first()
    .click();
  await expect(result(page).getByRole('tree', { name: 'Message' })).toContainText('progressToken');
  await tab(page, /^HTTP/).click();
  await expect(result(page).getByRole('tabpanel')).toContainText('POST 200');
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, /^Why/)).toHaveAttribute('aria-selected', 'true');
  await expect(result(page).getByRole('tabpanel')).toContainText(
    'Called by POST. The server responded with 200.',
  );

  await callRow(page, /^\d lists/)
    .first()
    .click();
  await expect(result(page)).toContainText('tools/list');
});

test('the list is narrowed by a chip and by the filter, cleared with an undo, and a call is made again', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 1, intervalMs: 0 }));
  await inspector.untilEnded(await inspector.call('fail', { afterMs: 0 }));
  const timeline = timelineOf(page);
  const rows = timeline.region.getByRole('listbox', { name: 'Calls' }).getByRole('option');
  await timeline.button('Errors').click();
  await expect(rows).toHaveText([/fail/]);
  await timeline.button('Tools').click();
  await expect(rows).toHaveText([/fail/, /countdown/]);
  await timeline.filter.fill('method:progress');
  await expect(rows).toHaveText([/countdown/]);
  await timeline.filter.fill('');
  await timeline.button('Clear').click();
  await expect(rows).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(2);
  await callRow(page, /^countdown/).click();
  await result(page).getByRole('button', { name: 'Call again' }).click();
  await expect(rows).toHaveText([/countdown/, /fail/, /countdown/]);
});

test('Enter calls from a field of one line, and Shift+Enter begins another line', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'ask' }).click();
  const question = page.getByRole('main').getByLabel('question');
  await question.fill('One line?');
  await question.press('Enter');
  await expect.poll(async () => (await inspector.calls())[0]?.args).toEqual({ question: 'One line?' });
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await expect(
    inbox.getByText('One line?'),
    'a description that repeats the message is left out',
  ).toHaveCount(1);
  await inbox.getByLabel('Answer').fill('Yes');
  await inbox.getByLabel('Answer').press('Control+Enter');
  await expect(result(page)).toContainText('accept: Yes');
  await expect(result(page), 'the focus follows the work').toBeFocused();
  await question.fill('Two');
  await question.press('Shift+Enter');
  await question.pressSequentially('lines?');
  await expect(question).toHaveValue('Two\nlines?');
});

test.describe('on a laptop', () => {
  test.use({ viewport: { width: 1280, height: 720 } });

  test('a form of three arguments, its button, the result and four lanes are in view together', async ({
    inspector,
    target,
  }) => {
    const { page } = inspector;
    const field = (description: string) => ({ type: 'string', description });
    const tool = {
      name: 'three',
      inputSchema: {
        type: 'object' as const,
        properties: { first: field('One'), second: field('Two'), third: field('Three') },
      },
    };
    const run = async () => ({ content: [{ type: 'text' as const, text: 'All three' }] });
    const server = await target('resumable', { overrides: { extraTools: [{ tool, run }] } });
    await inspector.connect(server.url);
    await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'three' }).click();
    for (let i = 0; i < 4; i += 1) await inspector.untilEnded(await inspector.call('three'));
    await expect(callRow(page, /^three/)).toHaveCount(4);
    const seen = [
      page.getByLabel('third'),
      page.getByRole('button', { name: 'Call', exact: true }),
      result(page).getByText('All three'),
      callRow(page, /^three/).nth(3),
    ];
    for (const part of seen) await expect(part).toBeInViewport({ ratio: 1 });
  });
});
