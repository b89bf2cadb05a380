// Views of MCP Apps (SEP-1865): rendered in a sandbox, served through the bridge, and the same after a reload.
import type { Request } from '@playwright/test';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { panel, press, shown, viewOf } from './apps.ts';
import { expect, test, type Inspector } from './inspector.ts';
import { callRow } from './timelinePage.ts';

async function openDashboard(inspector: Inspector, url: string, args: object = {}): Promise<string> {
  await inspector.connect(url);
  return inspector.call('dashboard', { title: 'Sales', ...args });
}

test('the page declares the extension, and shows the view of a tool with its input and whole result', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  const id = await openDashboard(inspector, url);
  const [initialize] = await inspector.entries('kind:sent method:initialize');
  expect(initialize?.message).toMatchObject({
    params: {
      capabilities: {
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
    },
  });
  await expect(shown(page, 'input')).toHaveText('{"title":"Sales"}');
  await expect(shown(page, 'result')).toContainText('"viewUUID":"view-of-Sales"');
  await expect(shown(page, 'host')).toHaveText(/^reprise (light|dark) en-US inline dashboard$/);
  expect(JSON.parse((await shown(page, 'given').textContent()) ?? '')).toMatchObject({
    availableDisplayModes: ['inline', 'fullscreen', 'pip'],
    containerDimensions: { width: expect.any(Number), maxHeight: 900 },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
    userAgent: expect.stringMatching(/^reprise\/\d/),
    platform: 'web',
    deviceCapabilities: { touch: false, hover: true },
    timeZone: expect.any(String),
    call: id,
    variables: expect.any(Number),
  });
  await expect(panel(page)).toContainText(/Origin http:\/\/localhost:\d+/);
  await expect(shown(page, 'state')).toHaveText('opened 1 times');
  expect(await shown(page, 'seen').textContent()).toMatch(/^tool-input tool-result/);
});

test('the flat key of older servers names a view too', async ({ inspector, target }) => {
  const { url } = await target('app');
  await inspector.connect(url);
  await inspector.call('flat', { title: 'Old' });
  await expect(shown(inspector.page, 'input')).toHaveText('{"title":"Old"}');
});

test('a view reads resources and calls tools through the page, and its calls are marked', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  const id = await openDashboard(inspector, url);
  await press(page, 'Read');
  await expect(shown(page, 'answer')).toContainText('Amsterdam');
  await press(page, 'Call');
  await expect(shown(page, 'answer')).toContainText('"ticks":[1,2]');
  const calls = await inspector.calls();
  expect(calls.find(({ tool }) => tool === 'countdown')).toMatchObject({ appOf: id, name: 'settled' });
  await expect(callRow(page, /^countdown by the app/)).toBeVisible();
  await press(page, 'Secret');
  await expect(shown(page, 'answer')).toHaveText(/^error .*isn't visible to apps/);
  await expect(panel(page).getByRole('list', { name: 'Findings' })).toContainText('model-only');
  expect((await inspector.calls()).map(({ tool }) => tool)).not.toContain('model-only');
});

test('messages and the model context of a view are shown and kept, and a link is opened after a question', async ({
  inspector,
  target,
  context,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  await openDashboard(inspector, url);
  await press(page, 'Say');
  await expect(panel(page).getByRole('list', { name: 'Messages to the model' })).toHaveText(
    /Hello from the view/,
  );
  await press(page, 'Context');
  await expect(panel(page).getByRole('note', { name: 'Model context' })).toHaveText('{"page":7}');
  await press(page, 'Link');
  const question = panel(page).getByRole('group', { name: 'Open a link?' });
  await expect(question).toContainText('https://example.com/page');
  await question.getByRole('button', { name: 'Decline' }).click();
  await expect(shown(page, 'answer')).toHaveText(/^error .*denied/);
  await context.route('https://example.com/**', (route) => route.fulfill({ body: 'A page' }));
  await press(page, 'Link');
  const opened = context.waitForEvent('page');
  await question.getByRole('button', { name: 'Open link' }).click();
  await expect.poll(async () => (await opened).url()).toBe('https://example.com/page');
  await expect(shown(page, 'answer')).toHaveText('{}');
  await inspector.reload();
  await expect(panel(page).getByRole('list', { name: 'Messages to the model' })).toHaveText(
    /Hello from the view/,
  );
  await expect(panel(page).getByRole('note', { name: 'Model context' })).toHaveText('{"page":7}');
});

test('a view changes its size and display mode, follows the theme, and is told before it goes', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  await openDashboard(inspector, url);
  await expect(shown(page, 'result')).toContainText('42');
  await press(page, 'Grow');
  const frame = panel(page).locator('iframe');
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(640);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(viewOf(page).locator('html')).toHaveAttribute('data-theme', 'dark');
  await press(page, 'Full');
  await expect(shown(page, 'host')).toHaveText('mode fullscreen');
  await expect.poll(async () => (await panel(page).boundingBox())?.width).toBe(page.viewportSize()?.width);
  await page.getByRole('button', { name: 'Show inline' }).click();
  await expect(shown(page, 'host')).toHaveText('mode inline');
  await page.getByRole('button', { name: 'Picture in picture' }).click();
  await expect(shown(page, 'host')).toHaveText('mode pip');
  await press(page, 'Leave');
  await expect(frame).toHaveCount(0);
  const lastMethods = async () =>
    (await inspector.entries('kind:app'))
      .slice(-3)
      .map((entry) => ('method' in entry ? entry.method : undefined));
  await expect
    .poll(lastMethods, 'the view responds before it is removed')
    .toEqual(['ui/resource-teardown', undefined, undefined]);
  await page.getByRole('button', { name: 'Reopen app' }).click();
  await expect(shown(page, 'result')).toContainText('42');
  await page.getByRole('button', { name: 'Close app' }).click();
  await expect(frame).toHaveCount(0);
});

test('a view follows the arguments while they are typed, and gets the result of the call that is made', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  await inspector.connect(url);
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'dashboard' }).click();
  await page.getByRole('button', { name: 'Open app' }).click();
  await expect(shown(page, 'partial')).toContainText('"title":"Sales"');
  await page.getByRole('textbox', { name: 'title' }).fill('Stock');
  await expect(shown(page, 'partial')).toContainText('"title":"Stock"');
  await expect(shown(page, 'input')).toBeEmpty();
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(shown(page, 'result')).toContainText('"title":"Stock"');
  await expect(shown(page, 'input')).toContainText('"title":"Stock"');
  const entries = await inspector.entries('kind:app');
  expect(entries.filter((entry) => entry.kind === 'app' && entry.step === 'opened')).toHaveLength(1);
});

test('a view that cancels its call, and a user who cancels the call of a view', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  const id = await openDashboard(inspector, url, { waitMs: 60_000 });
  await expect(shown(page, 'input')).toContainText('Sales');
  await press(page, 'Abort');
  await expect
    .poll(async () => (await inspector.calls()).find(({ tool }) => tool === 'countdown')?.name)
    .toBe('cancelled');
  await page.evaluate((call) => window.reprise.cancel(call), id);
  await expect(shown(page, 'cancelled')).not.toBeEmpty();
});

test('after a reload: the same document, input and result, and its storage', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  await openDashboard(inspector, url);
  await expect(shown(page, 'state')).toHaveText('opened 1 times');
  await expect(shown(page, 'result')).toContainText('42');
  const before = (await shown(page, 'result').textContent()) ?? '';
  const reads = () => inspector.entries('kind:sent method:resources/read').then((all) => all.length);
  const readsBefore = await reads();
  await inspector.reload();
  await expect(shown(page, 'state')).toHaveText('opened 2 times');
  await expect(shown(page, 'result')).toHaveText(before);
  await expect(shown(page, 'input')).toHaveText('{"title":"Sales"}');
  await expect(panel(page)).toContainText('Same document');
  expect(await reads()).toBe(readsBefore);
});

test('the views of two servers have storage of their own', async ({ inspector, target }) => {
  const { page } = inspector;
  const [one, other] = await Promise.all([target('app'), target('app')]);
  await openDashboard(inspector, one.url);
  await expect(shown(page, 'state')).toHaveText('opened 1 times');
  // The same key, because the view and its title are the same.
  await openDashboard(inspector, other.url);
  await expect(shown(page, 'state')).toHaveText('opened 1 times');
});

test('after a reload in the middle of the call: the input at once, the result when it comes', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  const id = await openDashboard(inspector, url, { waitMs: 2000 });
  await inspector.untilReceived(id, 2);
  await inspector.reload();
  await expect(shown(page, 'input')).toHaveText('{"title":"Sales","waitMs":2000}');
  await expect(shown(page, 'result')).toContainText('"total":42');
  expect(await shown(page, 'seen').textContent()).toMatch(/^tool-input tool-result/);
});

test('after a reload that lost the call: the view is told that it was cancelled', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('app');
  const id = await openDashboard(inspector, server.url, { waitMs: 60_000 });
  await inspector.untilReceived(id, 2);
  await server.control('restart');
  await inspector.reload();
  await expect(shown(page, 'cancelled')).not.toBeEmpty();
  await expect(shown(page, 'input')).toContainText('Sales');
});

test('a call that the view had open is settled after a reload, and still shown as the app’s', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  const id = await openDashboard(inspector, url);
  await press(page, 'Slow');
  const slow = () => inspector.calls().then((calls) => calls.find(({ appOf }) => appOf === id));
  await expect.poll(async () => (await slow())?.received ?? 0).toBeGreaterThan(2);
  await inspector.reload();
  await expect(shown(page, 'result')).toContainText('42');
  await expect.poll(async () => (await slow())?.name).toBe('settled');
});

test('a view that is opened again asks before it calls a write tool again', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('app-calls-again');
  await openDashboard(inspector, server.url);
  const orders = () => inspector.calls().then((calls) => calls.filter(({ tool }) => tool === 'order').length);
  await expect.poll(orders).toBe(1);
  await inspector.reload();
  const question = panel(page).getByRole('group', { name: 'Call again?' });
  await expect(question).toContainText('order');
  await question.getByRole('button', { name: 'Decline' }).click();
  await expect(question).toHaveCount(0);
  expect(await orders()).toBe(1);
  await expect(panel(page).getByRole('list', { name: 'Findings' })).toContainText(
    'order, with the same arguments',
  );
});

test('the timeline has a lane for the app, and a view can be opened again from a past call', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('app');
  const id = await openDashboard(inspector, url);
  await expect(shown(page, 'result')).toContainText('42');
  await inspector.untilEnded(await inspector.call('countdown', { ticks: 1, intervalMs: 1 }));
  await expect(panel(page)).toHaveCount(0);
  const labels = () =>
    inspector
      .entries(`lane:app call:${id}`)
      .then((entries) =>
        entries.map((entry) => (entry.kind === 'app' ? `${entry.step} ${entry.method ?? ''}`.trim() : '')),
      );
  // The view responds to its teardown before its frame is removed.
  await expect.poll(labels).toContain('closed');
  expect(await labels()).toEqual(
    expect.arrayContaining([
      'opened',
      'received ui/initialize',
      'received ui/notifications/initialized',
      'sent ui/notifications/tool-input',
      'sent ui/notifications/tool-result',
      'sent ui/resource-teardown',
      'received',
    ]),
  );
  await callRow(page, /^dashboard/)
    .first()
    .click();
  await expect(shown(page, 'result')).toContainText('42');
});

test('from a static host, the view is in an opaque frame, and what it is refused is listed', async ({
  page,
  watch,
  target,
}) => {
  const folder = process.env['REPRISE_SITE'] ?? '';
  const host = await serveStatic({ folder });
  try {
    await watch(page).goto(host.url);
    await page.evaluate(() => window.reprise.ready);
    const { url } = await target('app');
    await page.evaluate((server) => window.reprise.connect(server), url);
    await page.evaluate(() => window.reprise.call('dashboard', { title: 'Sales' }));
    await expect(shown(page, 'result')).toContainText('42');
    await expect(shown(page, 'state')).toHaveText('SecurityError');
    await expect(panel(page)).toContainText('Opaque frame');
    await expect(panel(page).getByRole('list', { name: 'Findings' })).toContainText('localStorage');
    await page.evaluate(() => window.reprise.stored());
    await page.reload();
    await expect(shown(page, 'result')).toContainText('42');
  } finally {
    await host.close();
  }
});

test('what a view didn’t declare is blocked and listed', async ({ inspector, target }) => {
  const { page } = inspector;
  const asked: Request[] = [];
  page.context().on('request', (request) => asked.push(request));
  const { url } = await target('app-undeclared');
  await openDashboard(inspector, url);
  const findings = panel(page).getByRole('list', { name: 'Findings' });
  // Each once, without a count: the policy is in both frames.
  await expect
    .poll(async () =>
      (await findings.getByRole('listitem').allInnerTexts()).map((text) => text.trim()).sort(),
    )
    .toEqual([
      'Blocked by its Content-Security-Policy: connect-src https://undeclared.example/data',
      'Blocked by its Content-Security-Policy: img-src https://undeclared.example/a.png',
    ]);
  await expect(viewOf(page).locator('#result')).toHaveText('Sales: 42');
  // The browser names the request, and ends it before anything is sent.
  const undeclared = asked.filter((request) => request.url().includes('undeclared'));
  await expect
    .poll(() => undeclared.map((request) => request.failure()?.errorText))
    .toEqual(undeclared.map(() => 'csp'));
});

test('a view that the server doesn’t have is a sentence, and the result is there', async ({
  inspector,
  target,
}) => {
  const { url } = await target('app-no-view');
  await openDashboard(inspector, url);
  await expect(panel(inspector.page).getByRole('alert')).toContainText('ui://reprise-target/missing');
  await expect(inspector.page.getByRole('region', { name: 'Result' })).toContainText('Sales: 42');
});
