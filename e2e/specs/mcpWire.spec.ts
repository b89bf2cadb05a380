/** `mcpWire`, used as people use it on their own pages: a page that is right, and pages that break one rule each. */
import type { Page } from '@playwright/test';
import { expect, test as base, type McpWire, type WireCall } from '../../harness/playwright/index.ts';
import { startTarget, type RunningTarget } from '../../targets/startTarget.ts';
import { startFakePage, type FakePage, type PageFault } from './fakePage.ts';

const test = base.extend<{ server: RunningTarget; app: FakePage }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  server: async ({}, use) => {
    const target = await startTarget('resumable');
    await use(target);
    await target.close();
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  app: async ({}, use) => {
    const page = await startFakePage();
    await use(page);
    await page.close();
  },
  mcp: async ({ server }, use) => {
    await use({ server: server.url, timeout: QUIET_MS, settle: 300 });
  },
});

/** So long a page may do nothing on a busy machine. */
const QUIET_MS = 20_000;

const addressOf = (app: FakePage, wire: McpWire, fault = ''): string =>
  `${app.url}?server=${encodeURIComponent(wire.url)}&fault=${fault}`;

const failure = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (error: unknown) => String(error),
  );

test('a call survives a reload and a crash', async ({ page, mcpWire, app }) => {
  await page.goto(`${addressOf(app, mcpWire)}&ticks=80`);
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('countdown');
  await call.received(3);
  const first = await mcpWire.reload(page, { awayFor: 'two messages' });
  expect(first.missed).toBeGreaterThanOrEqual(2);
  await expect(call).toHaveResumedFrom(first.lastEventId);
  await expect.poll(() => call.messages.some(({ load }) => load === 2)).toBe(true);
  const { page: tab, lastEventId } = await mcpWire.crash(page);
  await expect(call).toHaveResumedFrom(lastEventId);
  await expect(call).toHaveSurvived();
  await expect(call).toHaveRunOnce();
  await expect(tab.getByText('Report ready')).toBeVisible();
  expect(call.runs).toBe(1);
  expect(call.messages.every(({ delivery }) => delivery !== 'missed')).toBe(true);
  expect(new Set(call.messages.map(({ load }) => load))).toEqual(new Set([1, 2, 3]));
  expect(mcpWire.findings()).toEqual([]);
});

test('a call survives a closed tab', { tag: '@engines' }, async ({ page, mcpWire, app }) => {
  await page.goto(`${addressOf(app, mcpWire)}&ticks=40`);
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('countdown');
  await call.received(3);
  const { page: tab, lastEventId, missed } = await mcpWire.reopen(page, { awayFor: 'two messages' });
  expect(page.isClosed()).toBe(true);
  expect(missed).toBeGreaterThanOrEqual(2);
  await expect(call).toHaveResumedFrom(lastEventId);
  await expect(call).toHaveSurvived();
  await expect(tab.getByText('Report ready')).toBeVisible();
  expect(call.runs).toBe(1);
});

test('a call survives an outage', async ({ page, mcpWire, app }) => {
  await page.goto(addressOf(app, mcpWire));
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('countdown');
  await call.received(3);
  const { lastEventId, missed } = await mcpWire.offline({ for: 'two messages' });
  expect(missed).toBeGreaterThanOrEqual(2);
  await expect(call).toHaveResumedFrom(lastEventId);
  await expect(call).toHaveSurvived();
  await expect(page.getByText('Report ready')).toBeVisible();
});

const RULES: readonly [PageFault, string][] = [
  ['initializes-again', 'one-session'],
  ['calls-again', 'runs-once'],
  ['deletes-on-unload', 'no-delete'],
  ['drops-version', 'version-header'],
  ['forgets-second-cursor', 'last-event'],
  ['reuses-ids', 'unique-ids'],
  ['never-resumes', 'resumes-stream'],
];

async function interrupted(mcpWire: McpWire, page: Page, fault: PageFault): Promise<WireCall> {
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('countdown');
  await call.received(3);
  await mcpWire.reload(page, { awayFor: 'two messages' });
  if (fault !== 'forgets-second-cursor') return call;
  await call.received(12);
  await mcpWire.reload(page);
  return call;
}

for (const [fault, rule] of RULES) {
  test(`a page that ${fault.replaceAll('-', ' ')} fails with ${rule}`, async ({ page, mcpWire, app }) => {
    // Long enough for a second reload.
    await page.goto(`${addressOf(app, mcpWire, fault)}&ticks=${fault === 'forgets-second-cursor' ? 80 : 30}`);
    const call = await interrupted(mcpWire, page, fault);
    // A page that does nothing more is only found out by waiting.
    const timeout = fault === 'never-resumes' ? 3000 : QUIET_MS;
    const words = await failure(expect(call).toHaveSurvived({ timeout }));
    expect(words).toContain(`Rule:     ${rule}\n`);
    expect(words).toContain('Fix: ');
  });
}

test('faults happen where they were asked for, and the page gets over them', async ({
  page,
  mcpWire,
  app,
}) => {
  await page.goto(addressOf(app, mcpWire));
  const cut = await mcpWire.cut({ on: 'call', afterMessages: 3, times: 1 });
  const refused = await mcpWire.refuse({ on: 'resume', status: 409, times: 2 });
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('countdown', { args: { intervalMs: 60 } });
  await refused.hit();
  await expect(page.getByText('Report ready')).toBeVisible();
  await expect(call).toHaveSurvived();
  expect([cut.hits, refused.hits]).toEqual([1, 2]);
  expect(call.messages.filter(({ delivery }) => delivery === 'live')).toHaveLength(3);
  expect(mcpWire.requests('resume').map(({ status }) => status)).toEqual([409, 409, 200]);
  const { html } = await mcpWire.story();
  expect(html).toContain('countdown');
  const { attachments } = test.info();
  expect(attachments.map(({ name }) => name)).toEqual(['mcp-story.html', 'mcp-story.json']);
  // The HTML report shows a text as text, and opens a file.
  expect(attachments.map(({ path }) => typeof path)).toEqual(['string', 'string']);
});

test('a restart ends the session, and the page is told', async ({ page, mcpWire, app }) => {
  await page.goto(addressOf(app, mcpWire));
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('countdown');
  await call.received(2);
  await mcpWire.restart();
  await expect(page.getByText('Report lost')).toBeVisible();
  expect(await failure(expect(call).toHaveSurvived())).toContain('The session is over');
  await expect(call).toHaveRunOnce();
});

test('a call that was never interrupted proves nothing', async ({ page, mcpWire, app }) => {
  await page.goto(`${addressOf(app, mcpWire)}&ticks=2`);
  await page.getByRole('button', { name: 'Run report' }).click();
  const call = await mcpWire.call('countdown');
  expect(await call.delivered()).toHaveProperty('result');
  expect(await failure(expect(call).toHaveSurvived())).toContain('a call that was never interrupted');
  await expect(call.received(600)).rejects.toThrow(
    'The call ended after 5 messages, before the page had 600.',
  );
});

test.describe('with endpoint', () => {
  test.use({
    mcp: async ({ server }, use) => {
      await use({ endpoint: '**/api/mcp', server: server.url, timeout: QUIET_MS, settle: 300 });
    },
  });

  test('the page keeps its URLs', { tag: '@engines' }, async ({ page, mcpWire, app }) => {
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Run report' }).click();
    const call = await mcpWire.call('countdown');
    await call.received(3);
    await mcpWire.reload(page, { awayFor: 'two messages' });
    await expect(call).toHaveSurvived();
    await expect(page.getByText('Report ready')).toBeVisible();
    expect(new URL(mcpWire.requests('call')[0]?.url ?? '').origin).toBe(new URL(app.url).origin);
  });
});

test.describe('with several servers', () => {
  test.use({
    mcp: async ({ server }, use) => {
      await use({ server: { files: server.url, mail: server.url }, timeout: QUIET_MS, settle: 300 });
    },
  });

  test('a call to one survives while the other is down', async ({ page, mcpWire, app }) => {
    const [files, mail] = [mcpWire.server('files'), mcpWire.server('mail')];
    const down = await files.refuse({ status: 503 });
    const other = await page.context().newPage();
    // Another origin, so the two pages don't share their storage.
    await other.goto(`${app.url.replace('127.0.0.1', 'localhost')}?server=${encodeURIComponent(files.url)}`);
    await down.hit();
    await page.goto(`${app.url}?ticks=40&server=${encodeURIComponent(mail.url)}`);
    await page.getByRole('button', { name: 'Run report' }).click();
    const call = await mcpWire.call('countdown', { server: 'mail' });
    await call.received(3);
    await mcpWire.reload(page, { call, awayFor: 'two messages' });
    await expect(call).toHaveSurvived();
    await expect(page.getByText('Report ready')).toBeVisible();
    expect(call.server).toBe('mail');
    const initializes = mcpWire.requests('initialize').map(({ server, status }) => ({ server, status }));
    expect(initializes).toEqual([
      { server: 'files', status: 503 },
      { server: 'mail', status: 200 },
    ]);
    expect(() => mcpWire.url).toThrow('Several servers are set.');
  });
});
