// The filter: completion, errors in place, the same grammar for scripts, and entries that are not in memory.
import { expect, test } from './inspector.ts';
import { showLog, timelineOf } from './timelinePage.ts';

test('completes by keys, shows in place what is wrong, and is the one that scripts use', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  const id = await inspector.call('countdown', { ticks: 4, intervalMs: 30 });
  await inspector.untilEnded(id);
  const timeline = timelineOf(page);
  await showLog(page);
  await timeline.region.getByRole('button', { name: 'Lanes', exact: true }).click();
  const offers = page.getByRole('listbox', { name: 'Completions' });
  await page.keyboard.press('/');
  await expect(timeline.filter).toBeFocused();
  await page.keyboard.type('me');
  await expect(offers.getByRole('option')).toHaveText([/^method:/]);
  await page.keyboard.press('Tab');
  await page.keyboard.type('prog');
  await expect(offers.getByRole('option')).toHaveText([/^notifications\/progress/]);
  await page.keyboard.press('ArrowDown');
  await expect(timeline.filter).toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Enter');
  await expect(timeline.filter).toHaveValue('method:notifications/progress ');
  await expect(timeline.rows).toHaveCount(4);

  await timeline.filter.fill('method:progress dur:fast');
  await expect(timeline.filter).toHaveAttribute('aria-invalid', 'true');
  await expect(timeline.filter).toHaveAccessibleDescription(/“dur:” needs a number, like dur:>500/);
  await expect(timeline.region.locator('mark')).toHaveText('fast');
  await expect(timeline.rows, 'what was found stays until the filter is right').toHaveCount(4);

  for (const [filter, n] of [
    [`tool:countdown kind:received -method:message`, 5],
    [`call:${id.slice(-6)} method:progress`, 4],
    ['method:progress /"progress":[34]/', 2],
    ['"1 2 3 4"', 1],
    ['status:2xx tool:countdown', 1],
    ['size:>5m', 0],
    ['dur:>100 kind:call', 1],
    ['lane:connection load:1 connected', 1],
  ] as const) {
    await timeline.filter.fill(filter);
    if (n === 0) await expect(timeline.region).toContainText('No entries match the filter.');
    else await expect(timeline.rows, filter).toHaveCount(n);
    expect(await inspector.entries(filter), filter).toHaveLength(n);
  }
  await expect(inspector.entries('colour:red')).rejects.toThrow(/Unknown filter “colour:”/);
});

test('finds what only the disk holds, and reads only what can be seen', async ({ inspector, target }) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  const id = await inspector.call('burst', { count: 14_000 });
  await inspector.untilEnded(id);
  await inspector.reload();
  const timeline = timelineOf(page);
  await showLog(page);
  await expect(timeline.region).toContainText(/14,0\d\d entries/);
  await timeline.region.getByRole('button', { name: 'Lanes', exact: true }).click();
  await timeline.filter.fill('kind:load load:1');
  await expect(timeline.rows).toHaveCount(1);
  await timeline.filter.fill(`method:progress /event 77 /`);
  await expect(timeline.rows.first()).toContainText('77');
  await timeline.filter.fill('');
  await timeline.list.focus();
  await page.keyboard.press('Home');
  await expect(timeline.rows.filter({ hasText: 'Load 1' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(timeline.rows.last()).not.toContainText('reading');
});
