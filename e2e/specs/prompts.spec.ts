// Prompts: filled in with the server's completions, and seen as messages.
import { expect, type Page } from '@playwright/test';
import { test } from './everything.ts';
import { Inspector } from './inspector.ts';
import { openSection, pick } from './sections.ts';

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' });

test(
  'a prompt is completed, got and seen, and comes back after a reload in the middle',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    await inspector.connect((await target('resumable')).url);
    await openSection(page, 'Prompts');
    await pick(page, 'Prompts', 'greet');
    await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
    await expect(page.getByRole('form', { name: 'Prompt' })).toContainText('Required.');

    const city = page.getByRole('combobox', { name: 'city' });
    await city.focus();
    await city.pressSequentially('ber');
    const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
    await expect(options).toHaveText(['Berlin', 'Bern']);
    await options.filter({ hasText: 'Bern' }).click();
    await expect(city).toHaveValue('Bern');
    await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
    await expect(messages(page)).toContainText('Greet the people of Bern.');

    await city.fill('Lisb');
    await inspector.reload();
    await expect(page.getByRole('combobox', { name: 'city' })).toHaveValue('Lisb');
    await expect(messages(page)).toContainText('Greet the people of Bern.');
    expect((await inspector.entries('kind:sent method:prompts/get')).map(({ load }) => load)).toEqual([1]);

    await pick(page, 'Prompts', 'test_prompt_with_image');
    await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
    await expect(messages(page).getByRole('img')).toBeVisible();
    await pick(page, 'Prompts', 'test_prompt_with_embedded_resource');
    await page.getByRole('combobox', { name: 'resourceUri' }).fill('test://x');
    await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
    await expect(messages(page)).toContainText('Embedded resource content for testing.');
  },
);

test('only the newest completion counts, and typing asks once', async ({ inspector, target }) => {
  const { page } = inspector;
  let letFirst = () => {};
  const first = new Promise<void>((resolve) => (letFirst = resolve));
  const server = await target('resumable');
  await page.route(server.url, async (route) => {
    if (/completion\/complete.*"value":"b"/.test(route.request().postData() ?? '')) await first;
    await route.continue();
  });
  await inspector.connect(server.url);
  await openSection(page, 'Prompts');
  await pick(page, 'Prompts', 'greet');
  const city = page.getByRole('combobox', { name: 'city' });
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  const asked = page.waitForRequest((request) => /"value":"b"/.test(request.postData() ?? ''));
  await city.fill('b');
  await asked;
  await city.fill('l');
  await expect(options).toHaveText(['Lisbon', 'London']);
  letFirst();
  const answers = async () => JSON.stringify(await inspector.entries('kind:received'));
  await expect.poll(answers).toContain('"values":["Berlin","Bern"]');
  await expect(options).toHaveText(['Lisbon', 'London']);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the demo in the page has prompts too', async ({ page, watch }) => {
    await watch(page).goto('./');
    await page.getByRole('button', { name: 'Open the demo' }).click();
    await expect(page.getByRole('status')).toHaveText('Connected');
    await openSection(page, 'Prompts');
    await pick(page, 'Prompts', 'explain');
    await page.getByRole('combobox', { name: 'kind' }).fill('resumed');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await expect(messages(page)).toContainText('Explain the resumed stream of MCP.');
    await new Inspector(page).reload();
    await expect(messages(page)).toContainText('Explain the resumed stream of MCP.');
  });
});

test('server-everything: one argument narrows the next, also after a reload', async ({
  inspector,
  everything,
}) => {
  const { page } = inspector;
  await inspector.connect(everything);
  await openSection(page, 'Prompts');
  await pick(page, 'Prompts', 'completable-prompt');
  const department = page.getByRole('combobox', { name: 'department' });
  await department.fill('Eng');
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  await expect(options).toHaveText(['Engineering']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await inspector.reload();
  await expect(department).toHaveValue('Engineering');
  await page.getByRole('combobox', { name: 'name', exact: true }).focus();
  await expect(options).toHaveText(['Alice', 'Bob', 'Charlie']);
  await options.filter({ hasText: 'Bob' }).click();
  await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
  await expect(messages(page)).toContainText('Please promote Bob to the head of the Engineering team.');
});
