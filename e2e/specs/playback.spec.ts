// A log plays as it happened, in the place of its server: paused, moved to a moment, faster, and given back unchanged.
import { expect, test } from './inspector.ts';
import { callRow, timelineOf } from './timelinePage.ts';

test('a log plays as it happened, and the live server is back when playback is closed', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const id = await inspector.reloadMidCall((await target('resumable')).url, { ticks: 12, intervalMs: 120 });
  await inspector.untilEnded(id);
  const before = await inspector.entries();
  const { region } = timelineOf(page);
  await region.getByRole('button', { name: 'Play', exact: true }).click();
  const player = region.getByRole('group', { name: 'Playback' });
  const position = player.getByRole('slider', { name: 'Position' });
  await expect(player).toBeVisible();
  await expect(callRow(page, /countdown/), 'nothing has been called yet').toBeHidden();

  await player.getByLabel('Speed').selectOption('0.5×');
  await page.keyboard.press('Space');
  await expect(callRow(page, /countdown/)).toContainText(/\d+\/12/);
  await player.getByLabel('Speed').selectOption('8×');
  await expect(callRow(page, /countdown/)).toContainText('done');
  await expect(
    player.getByRole('button', { name: 'Play', exact: true }),
    'it stops at the end',
  ).toBeVisible();

  await position.fill('0');
  await expect(callRow(page, /countdown/), 'what was played is taken back').toBeHidden();
  await page.keyboard.press('ArrowRight');
  await position.fill('500');
  await expect(callRow(page, /countdown/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(player).toBeHidden();
  await expect(callRow(page, /countdown/)).toBeVisible();
  expect((await inspector.entries()).slice(0, before.length)).toEqual(before);
  expect(await inspector.state()).toMatchObject({ name: 'connected' });
});
