// What is new since a section was last open: counted for each tab, kept across reloads, cleared by opening.
import type { Page } from '@playwright/test';
import { expect, openTab, test } from './inspector.ts';
import { openSection, sectionButton } from './sections.ts';

const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' });
const logs = (page: Page) => sections(page).getByRole('button', { name: 'Logs', exact: true });
const calls = (page: Page) => sections(page).getByRole('link', { name: /^Calls/ });

test(
  'log messages and calls of another tab are new until their section is opened, also after a reload',
  { tag: '@long' },
  async ({ inspector, context, target, watch }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await inspector.connect(server.url);
    await openSection(page, 'Info');
    await expect(logs(page)).toHaveAccessibleDescription('');

    const other = await openTab(context, watch);
    await other.untilEnded(await other.call('countdown', { ticks: 3, intervalMs: 0 }));
    await expect(logs(page)).toHaveAccessibleDescription('3 new');
    await expect(calls(page)).toHaveAccessibleDescription('1 new');
    // The other tab has Tools open, and counts for itself.
    await sectionButton(other.page, 'Logs');
    await expect(logs(other.page)).toHaveAccessibleDescription('3 new');
    await expect(calls(other.page)).toHaveAccessibleDescription('');

    await inspector.reload();
    await expect(logs(page)).toHaveAccessibleDescription('3 new');
    await expect(calls(page)).toHaveAccessibleDescription('1 new');
    await logs(page).click();
    await expect(logs(page)).toHaveAccessibleDescription('');
    await expect(calls(page)).toHaveAccessibleDescription('1 new');
    await calls(page).click();
    await expect(page.getByRole('listbox', { name: 'Calls' })).toBeFocused();
    await openSection(page, 'Info');
    await expect(logs(page)).toHaveAccessibleDescription('');
    await expect(calls(page)).toHaveAccessibleDescription('');
    await expect(logs(other.page)).toHaveAccessibleDescription('3 new');
  },
);

test('the preset Notifications shows what the server sent by itself, and is taken back', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url);
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 2, intervalMs: 0 }));
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const preset = timeline.getByRole('button', { name: 'Notifications', exact: true });
  await preset.click();
  await expect(preset).toHaveAttribute('aria-pressed', 'true');
  await expect(timeline).toContainText(/4 of \d+ entries/);
  await inspector.reload();
  await expect(preset).toHaveAttribute('aria-pressed', 'true');
  await preset.click();
  await expect(timeline.getByRole('combobox', { name: 'Filter entries' })).toHaveValue('');
});
