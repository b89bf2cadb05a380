// What any static host has to serve, and what the page says where it cannot run.
import { expect, type Page } from '@playwright/test';
import { test } from './siteHosts.ts';

test.use({ serviceWorkers: 'allow' });

/** Errors of scripts, refused resources and breaches of the Content-Security-Policy all end up here. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

async function expectQuietLoad(page: Page, address: string) {
  const complaints = complaintsOf(page);
  await page.goto(address, { waitUntil: 'load' });
  await expect(page).toHaveTitle(/Reprise/);
  // What is refused is refused by then: the app has started, and nothing more is on its way.
  await page.evaluate(() => window.reprise.ready);
  await page.waitForLoadState('networkidle');
  expect(complaints).toEqual([]);
}

test.describe('loads without a complaint in the console', () => {
  test('from its own server', async ({ page }) => {
    await expectQuietLoad(page, './');
  });

  test('from a subfolder of a static host', async ({ page, subfolder }) => {
    await expectQuietLoad(page, subfolder);
  });

  test('from the dev server', { tag: '@long' }, async ({ page, dev }) => {
    await expectQuietLoad(page, dev);
  });
});

test('has an icon and a manifest that a browser takes', async ({ page }) => {
  await page.goto('./');
  const devtools = await page.context().newCDPSession(page);
  const { url, errors } = await devtools.send('Page.getAppManifest');
  expect(url).toMatch(/manifest\.webmanifest$/);
  expect(errors).toEqual([]);
  const icon = await page.request.get((await page.getAttribute('link[rel=icon]', 'href')) ?? '');
  expect(icon.headers()['content-type']).toContain('image/svg+xml');
});

test('runs no script but its own, and stands in nobody’s frame', async ({ page, baseURL }) => {
  await page.goto('./');
  const refused = await page.evaluateHandle(() => {
    const directives = new Set<string>();
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      directives.add(effectiveDirective),
    );
    return directives;
  });
  await page.evaluate(async () => {
    const run = 'window.name += "ran"';
    const add = (name: string, attribute: string, value: string) => {
      const element = document.createElement(name);
      element.setAttribute(attribute, value);
      document.body.append(element);
      element.click();
    };
    const attempts: (() => unknown)[] = [
      () => add('button', 'onclick', run),
      () => add('a', 'href', `javascript:${run}`),
      () => add('img', 'src', 'https://third-party.invalid/pixel.png'),
      () => add('iframe', 'src', 'https://third-party.invalid/'),
      () => {
        const script = document.createElement('script');
        document.head.append(script);
        script.textContent = run;
      },
      () => {
        document.body.insertAdjacentHTML('beforeend', `<img src="x" onerror='${run}'>`);
      },
      () => void Reflect.apply(setTimeout, window, [run]),
    ];
    // Trusted Types refuse a text by throwing.
    for (const attempt of attempts)
      await Promise.resolve()
        .then(attempt, () => undefined)
        .catch(() => undefined);
  });
  await expect
    .poll(() => refused.evaluate((directives) => [...directives].sort()))
    .toEqual(['frame-src', 'img-src', 'require-trusted-types-for', 'script-src-elem']);
  expect(await page.evaluate(() => window.name)).toBe('');

  await page.goto('about:blank');
  await page.setContent(`<iframe src="${baseURL ?? ''}"></iframe>`);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
});

test('says that it needs JavaScript where there is none', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL ?? '');
  await expect(page.locator('noscript p')).toBeVisible();
  await expect(page.locator('noscript p')).toContainText('needs JavaScript');
  await context.close();
});
