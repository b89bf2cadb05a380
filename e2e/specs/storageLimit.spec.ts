/** One limit for the logs of all servers: shown in the settings, and told where it has taken a result. */
import { expect, test } from './inspector.ts';

test('a limit that is lowered takes the oldest of the server that was used before, and its call says so', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('resumable');
  for (const [name, sizes] of [
    ['used before', [350_000, 350_000]],
    ['used now', [830_000]],
  ] as const) {
    await inspector.connect(url, { name });
    for (const bytes of sizes) await inspector.untilEnded(await inspector.call('big', { bytes }));
  }
  await inspector.reload();
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  const meter = dialog.getByRole('meter', { name: 'Storage' });
  await expect(meter).toHaveAttribute('aria-valuetext', /^1\.\d MB of 500 MB used$/);
  const servers = dialog.getByRole('list', { name: 'Storage by server' }).getByRole('listitem');
  await expect(servers).toHaveText([/used now 8\d\d KB/, /used before 7\d\d KB/]);

  const limit = dialog.getByLabel('Storage limit (MB)');
  await limit.fill('0');
  await limit.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Enter a number of at least 1.');
  await limit.fill('1');
  await limit.press('Enter');
  await expect(servers).toHaveText([/used now 8\d\d KB/, /used before [\d.]{1,3} KB/]);
  await expect(meter).toHaveAttribute('aria-valuetext', /^8\d\d KB of 1\.0 MB used$/);
  await expect(dialog.getByText(/^Storage is 8\d % full\./)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const warning = page.getByRole('alert').filter({ hasText: /^Storage is 8\d % full\./ });
  await warning.getByRole('button', { name: 'Dismiss' }).click();
  await expect(warning).toBeHidden();

  await inspector.reload();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).not.toContainText('Result removed');
  await page.evaluate(() => window.reprise.select('used before'));
  await expect(result).toContainText(/Result removed to free space, (just now|\d+ s ago)/);
});
