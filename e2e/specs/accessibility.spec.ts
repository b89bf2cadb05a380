// axe over every view, light and dark; new sections are found by themselves in the rail.
import { expect, type Page } from '@playwright/test';
import { expectNoFindings } from './axe.ts';
import { test } from './inspector.ts';
import { openSection, sectionTitles } from './sections.ts';
import { showLog, timelineOf } from './timelinePage.ts';

test.use({ serviceWorkers: 'allow' });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no view has a serious finding, ${colorScheme}`, { tag: '@long' }, async ({ page, watch, target }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await watch(page).goto('./');
    await expectNoFindings(page, 'welcome');
    const server = await target('resumable');
    await page.getByRole('textbox', { name: 'Server URL' }).fill(server.url);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status')).toHaveText('Connected');
    const id = await page.evaluate(() => window.reprise.call('countdown', { ticks: 3, intervalMs: 0 }));
    await page.waitForFunction(
      (callId) => window.reprise.calls().find((call) => call.id === callId)?.settledAt !== undefined,
      id,
    );
    // A question, a failed call and a running one have their own looks.
    await page.evaluate(async () => {
      await window.reprise.call('fail', { afterMs: 0 });
      await window.reprise.call('ask', { question: 'Is it red?' });
      await window.reprise.call('countdown', { ticks: 1000, intervalMs: 1000 });
    });
    await expect(page.getByRole('region', { name: 'Inbox' })).toContainText('Is it red?');

    const sections = await sectionTitles(page);
    expect(sections.length).toBeGreaterThanOrEqual(3);
    for (const title of sections) {
      await openSection(page, title);
      await expect(page.getByRole('main')).not.toContainText('Loading');
      await expectNoFindings(page, `section ${title}`);
    }
    // The keys of a call are listed where a call is shown.
    await openSection(page, 'Tools');

    await press(page, 'Servers');
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).first()).toBeVisible();
    await page
      .getByRole('textbox', { name: /an mcp\.json/ })
      .fill('{ "files": { "command": "npx" }, "docs": { "url": "https://${HOST}/mcp" } }');
    await expectNoFindings(page, 'servers');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expectNoFindings(page, 'a notice');
    await press(page, 'Undo');
    await press(page, 'Close');
    await press(page, 'Command palette');
    await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    await expectNoFindings(page, 'commands');
    await page.keyboard.press('Escape');
    await press(page, 'Shortcuts');
    const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
    for (const key of ['Fit everything', 'Edit the arguments', 'Next call']) {
      await expect(shortcuts).toContainText(key);
    }
    await expectNoFindings(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Server URL' }).fill('http://127.0.0.1:9/mcp');
    await press(page, 'Connect');
    await expect(page.getByRole('status')).toContainText('Can’t connect.');
    await page.goto('./?server=https%3A%2F%2Fa.example%2Fmcp&tool=a&args=%7B%7D');
    await expect(page.getByRole('region', { name: 'Link' })).toBeVisible();
    await expectNoFindings(page, 'a failed connection, and a link that asks');
  });
}

test(
  'the timeline, its dialogs and the stage have no serious finding, light and dark',
  { tag: '@long' },
  async ({ inspector, target }) => {
    test.slow();
    const { page } = inspector;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const inBoth = async (view: string) => {
      await expectNoFindings(page, view);
      await page.emulateMedia({ colorScheme: 'dark' });
      // Only colours differ in the second theme.
      await expectNoFindings(page, `${view}, dark`, { rules: ['color-contrast'] });
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await page.emulateMedia({ colorScheme: 'light' });
    await inspector.connect((await target('over-replay')).url);
    const id = await inspector.call('countdown', { ticks: 6, intervalMs: 60 });
    await inspector.untilReceived(id, 4);
    await inspector.reload();
    await inspector.untilEnded(id);
    await inspector.untilEnded(await inspector.call('countdown', { ticks: 6, intervalMs: 0 }));
    const timeline = timelineOf(page);
    const { entry, list } = timeline;
    await inBoth('the calls');
    await showLog(page);

    await timeline.filter.fill('kind:sent method:tools/call');
    await timeline.rows.first().click();
    await entry.getByText('Request headers').click();
    await press(page, 'Edit and resend');
    await expect(entry.getByLabel('tools/call parameters')).toBeVisible();
    await list.focus();
    for (const key of ['p', 'b', '[', ',']) await page.keyboard.press(key);
    await expect(timeline.region.getByRole('status', { name: 'At the playhead' })).toBeVisible();
    await inBoth('an entry, pinned and bookmarked, a range and the playhead');

    await timeline.filter.fill('kind:sent dur:fast');
    await expect(timeline.filter).toHaveAttribute('aria-invalid', 'true');
    await inBoth('a filter that is wrong');
    await timeline.filter.fill('kind:');
    await expect(
      page.getByRole('listbox', { name: 'Completions' }).getByRole('option').first(),
    ).toBeVisible();
    await inBoth('completions');

    await timeline.filter.fill('kind:sent method:tools/call');
    await list.focus();
    await page.keyboard.press('c');
    await expect(timeline.region).toContainText('Select another one and choose Compare');
    await page.keyboard.press('j');
    await expect(entry.getByRole('button', { name: /^Compare with \d+/ })).toBeVisible();
    await page.keyboard.press('c');
    const compare = page.getByRole('dialog', { name: 'Compare' });
    await expect(compare).toContainText(/\d+ differences?\./);
    await inBoth('two messages compared');
    await compare.getByRole('button', { name: /calls/ }).click();
    await expect(compare.getByRole('row').filter({ hasText: '1 2 3 4 5 6' })).toBeVisible();
    await inBoth('two calls compared');
    await page.keyboard.press('Escape');

    await page.keyboard.press('e');
    const share = page.getByRole('dialog', { name: 'Export and import' });
    await share
      .getByLabel('Open a Reprise log')
      .setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await expect(share.getByRole('alert')).toContainText('Not a Reprise log.');
    await inBoth('export and import, with a file that is none');
    await page.keyboard.press('Escape');

    await inspector.call('ask', { question: 'Is it red?' });
    await inspector.untilAsked();
    await page.keyboard.press('s');
    await expect(page.getByRole('button', { name: 'Exit' })).toBeVisible();
    for (const key of ['w', 'm']) await page.keyboard.press(key);
    await expect(page.getByRole('region', { name: 'Inbox' })).toContainText('Is it red?');
    await expect(page.getByText('The demo is a real MCP server')).toBeVisible();
    await inBoth('the stage, with a question and the notes');
    await page.setViewportSize({ width: 390, height: 844 });
    await inBoth('the stage, narrow');
  },
);

test('everything on the page is reached by Tab, with a focus that can be seen', async ({
  page,
  watch,
  target,
}) => {
  await watch(page).goto('./');
  const server = await target('resumable');
  await page.getByRole('textbox', { name: 'Server URL' }).fill(server.url);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('Connected');
  await page.getByRole('list', { name: 'Tools' }).getByRole('button').first().click();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  // Each element that takes the focus is marked when it has it; what was never marked cannot be reached.
  const seen: string[] = [];
  for (let i = 0; i < 200; i += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      // After the last element the focus leaves the page, and comes back to the first.
      if (!(element instanceof HTMLElement) || element === document.body) return 'seen';
      if (element.dataset['reached']) return '';
      element.dataset['reached'] = 'yes';
      const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(element);
      const isVisible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
      const isFilled = element.getAttribute('role') === 'separator' && backgroundColor !== 'rgba(0, 0, 0, 0)';
      return isVisible || isFilled ? 'seen' : `no visible focus: ${element.outerHTML.slice(0, 120)}`;
    });
    if (at === '') break;
    seen.push(at);
  }
  expect(seen.filter((one) => one !== 'seen')).toEqual([]);
  const missed = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], input, select, textarea, summary, [tabindex="0"]',
      ),
    ]
      .filter(
        (element) =>
          element.checkVisibility() && !element.matches(':disabled, [data-reached], [tabindex="-1"]'),
      )
      // Of a group of radio buttons, Tab reaches one.
      .filter((element) => !(element instanceof HTMLInputElement && element.type === 'radio'))
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  expect(missed).toEqual([]);
});
