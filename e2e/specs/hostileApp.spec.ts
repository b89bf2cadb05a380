// A view that means harm, in both kinds of frames: nothing of it reaches the page, and the page stays usable.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { panel, press, viewOf } from './apps.ts';
import { expect, Inspector, test } from './inspector.ts';

const KINDS = [
  { kind: 'an origin of its own', apps: true, says: /Origin http/ },
  { kind: 'an opaque frame', apps: false, says: /Opaque frame/ },
] as const;

const BLOCKED_WINDOW = /^Blocked opening 'https:\/\/evil\.example\/' in a new window .*'allow-popups'/;
const IGNORED_DIALOG = /^Ignored call to 'confirm\(\)'\. The document is sandboxed, and the 'allow-modals'/;

/** A frame is drawn, a command works, a server answers. */
async function expectUsable(page: Page): Promise<void> {
  const drawn = page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await drawn;
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('count');
  await expect(page.getByRole('list', { name: 'Tools' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('');
  expect(await page.evaluate(() => window.reprise.tools().then((tools) => tools.length))).toBeGreaterThan(3);
}

for (const { kind, apps, says } of KINDS) {
  test(`a hostile view in ${kind} reaches nothing, and the page stays usable`, async ({
    page,
    watch,
    target,
    context,
  }) => {
    const host = await serveStatic({ folder: process.env['REPRISE_SITE'] ?? '', apps });
    const opened: string[] = [];
    context.on('page', (other) => opened.push(other.url()));
    page.on('download', (download) => opened.push(`download ${download.url()}`));
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('dialog', (dialog) => {
      opened.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    try {
      const inspector = new Inspector(watch(page));
      await page.goto(host.url);
      await inspector.ready();
      await page.evaluate(() => localStorage.setItem('secret', 'of the page'));
      await inspector.connect((await target('app-hostile')).url);
      const id = await inspector.call('dashboard', {});
      await expect(panel(page)).toContainText(says);
      const tries = viewOf(page).getByRole('listitem');
      await expect(tries).toHaveText([
        'host DOM: SecurityError',
        'host storage: SecurityError',
        'host cookies: SecurityError',
        'host script: SecurityError',
        'top navigation: SecurityError',
        'parent navigation: SecurityError',
        'new window: returned null',
        'dialog: returned false',
        'link to a new window: returned undefined',
        'download: returned undefined',
      ]);
      // In the words of the browser: the window of the script, that of the link, and the dialog.
      await expect.poll(() => said.filter((text) => BLOCKED_WINDOW.test(text))).toHaveLength(2);
      expect(said.filter((text) => IGNORED_DIALOG.test(text))).toHaveLength(1);
      await press(page, 'Flood');
      await expect(tries.last()).toHaveText('flooded');
      await expectUsable(page);
      await press(page, 'Huge');
      const findings = panel(page).getByRole('list', { name: 'Findings' });
      const dropped = async () =>
        Number(/Messages dropped: .* ×(\d+)/.exec((await findings.textContent()) ?? '')?.[1]);
      await expect.poll(dropped).toBeGreaterThan(90_000);
      await expect(findings).toContainText('notifications/message: more than 8 MB');
      await press(page, 'Loop');
      await expectUsable(page);
      await expect
        .poll(async () => (await panel(page).locator('iframe').boundingBox())?.height ?? 0)
        .toBeLessThan(901);
      await expect(findings).toContainText('Window blocked');
      expect(opened).toEqual([]);
      expect(new URL(page.url()).origin).toBe(new URL(host.url).origin);
      const entries = await inspector.entries(`kind:app call:${id}`);
      expect(entries.length).toBeLessThan(300);
      expect(JSON.stringify(entries).length).toBeLessThan(1_000_000);
    } finally {
      await host.close();
    }
  });

  // A headless shell has one process for a page and its frames.
  test(
    `a view in ${kind} that never yields doesn’t stop the page`,
    { tag: '@chromium' },
    async ({ page, watch, target }) => {
      const host = await serveStatic({ folder: process.env['REPRISE_SITE'] ?? '', apps });
      try {
        const inspector = new Inspector(watch(page));
        await page.goto(host.url);
        await inspector.ready();
        await inspector.connect((await target('app-hostile')).url);
        await inspector.call('dashboard', {});
        await expect(viewOf(page).getByRole('listitem').first()).toBeVisible();
        await viewOf(page)
          .getByRole('button', { name: 'Spin' })
          .evaluate((button: HTMLElement) => {
            setTimeout(() => button.click(), 50);
          });
        await expectUsable(page);
        await page.getByRole('button', { name: 'Close app' }).click();
        await expect(panel(page).locator('iframe')).toHaveCount(0);
      } finally {
        await host.close();
      }
    },
  );

  test(`a view in ${kind} can’t navigate its frame to a site that it didn’t declare`, async ({
    page,
    watch,
    target,
    context,
  }) => {
    const host = await serveStatic({ folder: process.env['REPRISE_SITE'] ?? '', apps });
    const answered: string[] = [];
    context.on('response', (response) => answered.push(response.url()));
    await context.route('https://evil.example/**', (route) => route.fulfill({ body: 'Reached' }));
    try {
      const inspector = new Inspector(watch(page));
      await page.goto(host.url);
      await inspector.ready();
      await inspector.connect((await target('app-hostile')).url);
      await inspector.call('dashboard', {});
      await press(page, 'Away');
      await expect(panel(page).getByRole('list', { name: 'Findings' })).toContainText(
        'frame-src https://evil.example',
      );
      expect(answered.filter((url) => url.includes('evil.example'))).toEqual([]);
    } finally {
      await host.close();
    }
  });

  test(
    `a view in ${kind} that never initializes is reported, and told nothing`,
    { tag: '@long' },
    async ({ page, watch, target }) => {
      const host = await serveStatic({ folder: process.env['REPRISE_SITE'] ?? '', apps });
      try {
        const inspector = new Inspector(watch(page));
        await page.goto(host.url);
        await inspector.ready();
        await inspector.connect((await target('app-silent')).url);
        const id = await inspector.call('dashboard', {});
        await expect(panel(page).getByRole('list', { name: 'Findings' })).toContainText('Not initialized', {
          timeout: 20_000,
        });
        const entries = await inspector.entries(`kind:app call:${id}`);
        expect(entries.filter((entry) => entry.kind === 'app' && entry.step === 'sent')).toEqual([]);
        await expectUsable(page);
      } finally {
        await host.close();
      }
    },
  );
}

test('a page that frames the sandbox itself runs nothing in its origin', async ({ page }) => {
  const sandbox = await readFile(join(ROOT, 'public/sandbox.html'), 'utf8');
  // A static host that sends no headers.
  await page.route('https://host.example/sandbox.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: sandbox }),
  );
  await page.route('https://evil.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: FRAMING }),
  );
  await page.goto('https://evil.example/');
  await expect.poll(() => page.title()).toContain('ran as null');
  await expect.poll(async () => (await page.title()).split('proxy-ready').length - 1).toBe(2);
  expect(await page.title()).not.toContain('ran as https');
});

/** Frames the sandbox without and with the attribute, and has both run a script. */
const FRAMING = `<script>
  addEventListener('message', ({ data, source }) => {
    document.title += ' ' + data.method;
    if (!data.method.endsWith('proxy-ready')) return;
    const html = '<script>top.postMessage({ method: "ran as " + origin }, "*")</' + 'script>';
    const policy = "default-src 'none'; script-src 'unsafe-inline'";
    const params = { html, policy, sandbox: 'allow-scripts' };
    source.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params }, '*');
  });
</script>
<iframe src="https://host.example/sandbox.html"></iframe>
<iframe sandbox="allow-scripts" src="https://host.example/sandbox.html"></iframe>`;
