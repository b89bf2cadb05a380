// Resources and their templates, by what a person and a screen reader find, and after a reload in the middle.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { test } from './everything.ts';
import { openSection, pick, resource } from './sections.ts';

const contents = (page: Page) => resource(page).getByRole('article');

// A headless shell has no PDF viewer.
test(
  'text, a picture, a PDF and bytes are shown as what they are',
  { tag: '@chromium' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    await inspector.connect((await target('resumable')).url);
    await openSection(page, 'Resources');
    await expect(resource(page)).toContainText('A Reprise target server.');

    await pick(page, 'Resources', 'Cities');
    await expect(contents(page)).toContainText('"Amsterdam"');
    await expect(contents(page)).toContainText('application/json');

    await pick(page, 'Resources', 'A picture');
    const picture = contents(page).getByRole('img');
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(24);

    await pick(page, 'Resources', 'PDF page');
    await expect(contents(page).getByTitle('PDF: reprise://files/paper')).toBeVisible();
    const saving = page.waitForEvent('download');
    await contents(page).getByRole('button', { name: 'Download' }).click();
    expect((await saving).suggestedFilename()).toMatch(/^paper/);

    await pick(page, 'Resources', 'All 256 byte values');
    await expect(contents(page).getByRole('region', { name: 'Bytes' })).toContainText(
      '00000040  40 41 42 43 44 45 46 47  48 49 4a 4b 4c 4d 4e 4f  @ABCDEFGHIJKLMNO',
    );
  },
);

test(
  'what is open comes back after a reload, from the log and without asking again',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await inspector.connect(server.url);
    await openSection(page, 'Resources');
    // The first one is open when nobody has picked one.
    await expect(contents(page)).toContainText('A Reprise target server.');
    await inspector.reload();
    await expect(contents(page)).toContainText('A Reprise target server.');
    await pick(page, 'Resources', 'Cities');
    await expect(contents(page)).toContainText('"Amsterdam"');
    await inspector.reload();
    await expect(contents(page)).toContainText('"Amsterdam"');
    await expect(page.getByRole('button', { name: 'Resources' })).toHaveAttribute('aria-current', 'page');
    const reads = await inspector.entries('kind:sent method:resources/read');
    expect(reads.map(({ load }) => load)).toEqual([1, 2]);
  },
);

test('a reload before the answer has come asks again, once the page is back', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await openSection(page, 'Resources');
  await expect(resource(page)).toContainText('A Reprise target server.');
  // The first page never gets its answer.
  let held = 0;
  await page.route('**/mcp', async (route) => {
    const isFirst = held === 0 && (route.request().postData()?.includes('resources/read') ?? false);
    if (isFirst) held += 1;
    else await route.continue();
  });
  await pick(page, 'Resources', 'Cities');
  await expect.poll(() => held).toBe(1);
  await inspector.reload();
  await expect(contents(page)).toContainText('"Amsterdam"');
});

test(
  'a subscription shows each change, and is made again after a reload and after a restart',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await inspector.connect(server.url);
    await openSection(page, 'Resources');
    await pick(page, 'Resources', 'Live counter');
    await expect(contents(page)).toContainText('Updated 0 times.');
    await resource(page).getByRole('button', { name: 'Subscribe', exact: true }).click();
    await expect(resource(page)).toContainText('Subscribed');
    await server.control('touch');
    await expect(contents(page)).toContainText('Updated 1 times.');
    await expect(resource(page)).toContainText('Updated just now.');

    await pick(page, 'Resources', 'Cities');
    await server.control('touch');
    const list = page.getByRole('list', { name: 'Resources' });
    await expect(list.getByRole('button', { name: /^Live counter/ })).toContainText('updated');
    await pick(page, 'Resources', 'Live counter');
    await expect(contents(page)).toContainText('Updated 2 times.');

    await inspector.reload();
    await expect(resource(page)).toContainText('Subscribed');
    await server.control('touch');
    await expect(contents(page)).toContainText('Updated 3 times.');

    await server.control('restart');
    await expect(page.getByRole('status')).toContainText('Server restarted');
    await expect(resource(page)).toContainText('Subscribed');
    await server.control('touch');
    await expect(contents(page)).toContainText('Updated 1 times.');

    await resource(page).getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(resource(page).getByRole('button', { name: 'Subscribe', exact: true })).toBeVisible();
    const unsubscribed = await inspector.entries('kind:sent method:resources/unsubscribe');
    expect(unsubscribed).toHaveLength(1);
  },
);

test(
  'a template is a form that the server completes, by keyboard, and it comes back',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    await inspector.connect((await target('resumable')).url);
    await openSection(page, 'Resources');
    await pick(page, 'Resource templates', 'Stream type');
    const field = page.getByRole('combobox', { name: 'kind' });
    await field.focus();
    const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
    await expect(options).toHaveText(['request', 'standalone', 'resumed']);
    await field.pressSequentially('re');
    await expect(options).toHaveText(['request', 'resumed']);
    await expectAccessible(page, 'a template with completions');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('resumed');
    await expect(options).toHaveCount(0);
    await expect(page.getByLabel('Expanded URI')).toHaveText('reprise://streams/resumed');
    await page.keyboard.press('Enter');
    await expect(contents(page)).toContainText('This is about the resumed stream.');

    await field.fill('half/typ');
    await inspector.reload();
    await expect(page.getByRole('combobox', { name: 'kind' })).toHaveValue('half/typ');
    await expect(page.getByLabel('Expanded URI')).toHaveText('reprise://streams/half%2Ftyp');
    await expect(contents(page)).toContainText('This is about the resumed stream.');
  },
);

test('a resource that the server does not have gets its words', async ({ inspector, target }) => {
  const { page } = inspector;
  const lost = 'test://template/{id}/data';
  await inspector.connect(
    (
      await target('resumable', {
        overrides: {
          around: async (request, next) => {
            const text = await request.clone().text();
            return next(
              text.includes('test://template/9/data')
                ? new Request(request, { body: text.replace('test://template/9/data', 'nowhere://9') })
                : request,
            );
          },
        },
      })
    ).url,
  );
  await openSection(page, 'Resources');
  await pick(page, 'Resource templates', 'template');
  await expect(page.getByRole('form', { name: 'Resource template' })).toContainText(lost);
  await page.getByRole('combobox', { name: 'id', exact: true }).fill('9');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(resource(page).getByRole('alert')).toContainText('Can’t read the resource: ');
  await page.getByRole('combobox', { name: 'id', exact: true }).fill('8');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(contents(page)).toContainText('Data for ID: 8');
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the demo in the page has resources too', async ({ page, watch }) => {
    await watch(page).goto('./');
    await page.getByRole('button', { name: 'Open the demo' }).click();
    await expect(page.getByRole('status')).toHaveText('Connected');
    await openSection(page, 'Resources');
    await pick(page, 'Resources', 'Live counter');
    await resource(page).getByRole('button', { name: 'Subscribe', exact: true }).click();
    await expect(resource(page)).toContainText('Subscribed');
    await page.reload();
    await expect(page.getByRole('status')).toContainText('Reconnected');
    await page.evaluate(() => fetch('demo/__control/touch', { method: 'POST' }));
    await expect(contents(page)).toContainText('Updated 1 times.');
  });
});

test(
  'server-everything: a template is read, subscribed to, and its updates come across a reload',
  { tag: '@long' },
  async ({ inspector, everything }) => {
    const { page } = inspector;
    await inspector.connect(everything);
    await openSection(page, 'Resources');
    await pick(page, 'Resource templates', 'Dynamic Text Resource');
    await page.getByRole('combobox', { name: 'resourceId' }).fill('7');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(contents(page)).toContainText('Resource 7');
    await resource(page).getByRole('button', { name: 'Subscribe', exact: true }).click();
    await expect(resource(page)).toContainText('Subscribed');
    await inspector.untilEnded(await inspector.call('toggle-subscriber-updates'));
    await inspector.reload();
    await expect(resource(page)).toContainText('Subscribed');
    await expect(resource(page)).toContainText('Updated', { timeout: 15_000 });
    await pick(page, 'Resource templates', 'Dynamic Blob Resource');
    await page.getByRole('combobox', { name: 'resourceId' }).fill('7');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(contents(page).getByRole('region', { name: 'Bytes' })).toContainText('00000000');
  },
);
