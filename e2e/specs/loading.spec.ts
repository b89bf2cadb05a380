// Parts of the page that come later: what can't be fetched is asked for again, and the page says so.
import { expect, test } from './inspector.ts';
import { openSection } from './sections.ts';

test('a part that can’t be fetched is said, and comes with Retry', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url);
  await page.route(/\/assets\/(ResourcesSection|findEntries)/, (route) => route.abort());

  // Without a filter, the log needs no such part. With one, a script waits.
  expect((await inspector.entries()).length).toBeGreaterThan(0);
  const filtered = inspector.entries('kind:session');

  await openSection(page, 'Resources');
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('The section Resources couldn’t be loaded.');
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('list', { name: 'Resources' })).toBeVisible();
  expect(await filtered).toHaveLength(1);
});
