// A new version of the app waits until somebody agrees, and for as long as a call to the demo is open.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { expect, Inspector, test as base } from './inspector.ts';

interface Site {
  readonly url: string;
  /** Puts another version of the site in the place of this one, one that must be taken below a version. */
  deploy(requiredBelow?: string): Promise<void>;
}

const test = base.extend<{ site: Site }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  site: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-versions-'));
    await cp(process.env['REPRISE_SITE'] ?? '', folder, { recursive: true });
    const server = await serveStatic({ folder });
    const edit = async (name: string, change: (text: string) => string) => {
      const path = join(folder, name);
      const before = await readFile(path, 'utf8');
      const after = change(before);
      expect(after, `${name} of the new version`).not.toBe(before);
      await writeFile(path, after);
    };
    await use({
      url: server.url,
      deploy: async (requiredBelow) => {
        await edit('index.html', (html) => html.replace('<head>', '<head><meta name="second">'));
        const required = requiredBelow === undefined ? '' : `,requiredBelow:"${requiredBelow}"`;
        await edit('sw.js', (js) => js.replace(/version:.[0-9a-f]{16}./, `version:"second"${required}`));
      },
    });
    await server.close();
    await rm(folder, { recursive: true });
  },
});

test.use({ serviceWorkers: 'allow' });

test(
  'a new version comes when somebody agrees, and not while a call to the demo is open',
  { tag: '@long' },
  async ({ page, watch, site }) => {
    const inspector = new Inspector(watch(page));
    await page.goto(site.url);
    await page.getByRole('button', { name: 'Open the demo' }).click();
    await expect(page.getByRole('status')).toHaveText('Connected');
    const call = await inspector.call('ask', { question: 'May the new version come?' });
    const question = await inspector.untilAsked();

    await site.deploy();
    await inspector.reload();
    const second = page.locator('meta[name=second]');
    const notices = page.getByRole('region', { name: 'Notices' });
    await expect(notices).toContainText('Update available.', { timeout: 20_000 });
    await expect(second).toHaveCount(0);
    await notices.getByRole('button', { name: 'Update' }).click();
    await expect(notices).toContainText('The update will install when the running demo call finishes.');
    expect(await inspector.callNamed(call)).toMatchObject({ name: 'needs-input' });
    await expect(second).toHaveCount(0);

    // The page goes as soon as the call has ended.
    await inspector.answer(question, { action: 'accept', content: { answer: 'yes' } });
    await expect(second).toHaveCount(1);
    await inspector.ready();
    expect(await inspector.callNamed(call)).toMatchObject({ name: 'settled', result: { content: [{}] } });
  },
);

test(
  'a version with a security fix is taken without a question, as soon as no call is open',
  { tag: '@long' },
  async ({ page, watch, site }) => {
    const inspector = new Inspector(watch(page));
    await page.goto(site.url);
    await page.getByRole('button', { name: 'Open the demo' }).click();
    await expect(page.getByRole('status')).toHaveText('Connected');
    const call = await inspector.call('ask', { question: 'Is it fixed?' });
    const question = await inspector.untilAsked();

    await site.deploy('999.0.0');
    await inspector.reload();
    const second = page.locator('meta[name=second]');
    const notices = page.getByRole('region', { name: 'Notices' });
    await expect(notices).toContainText('It loads when all calls have ended.', { timeout: 20_000 });
    await expect(notices.getByRole('button', { name: 'Update now' })).toBeVisible();
    await expect(second).toHaveCount(0);

    await inspector.answer(question, { action: 'accept', content: { answer: 'yes' } });
    await expect(second).toHaveCount(1);
    await expect(notices).toContainText('Reprise was updated because of a security fix.');
    await inspector.ready();
    expect(await inspector.callNamed(call)).toMatchObject({ name: 'settled' });
  },
);

test('a version that only older ones must take waits like any other', async ({ page, watch, site }) => {
  const inspector = new Inspector(watch(page));
  await page.goto(site.url);
  await page.getByRole('button', { name: 'Open the demo' }).click();
  await expect(page.getByRole('status')).toHaveText('Connected');
  await site.deploy(await page.evaluate(() => window.reprise.version));
  await inspector.reload();
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices.getByRole('button', { name: 'Update', exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('meta[name=second]')).toHaveCount(0);
});
