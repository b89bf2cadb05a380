/** Servers that a page can't reach, through the bridge: a stdio server survives what a page does. */
import { expect, Inspector, range } from './inspector.ts';
import { everythingOverStdio, expectCounted, resultOf, statusOf, stdioServer, test } from './bridged.ts';
import { logIn, untilState } from './loggedIn.ts';
import { openSection } from './sections.ts';

const NOTE = "through a bridge: the replay is the bridge's, not the server's";

test('the link adds the server and connects; the token stays in no address, log or export', async ({
  page,
  watch,
  bridge,
}) => {
  const first = await bridge();
  await watch(page).goto(first.link);
  const status = page.getByRole('status');
  await expect(status).toHaveText('Connected');
  await expect(page.getByLabel('Server', { exact: true })).toHaveValue('stdio-test');
  expect(page.url()).toBe(`http://localhost:${first.port}/`);

  await openSection(page, 'Bridge');
  const section = page.getByRole('main');
  await expect(section).toContainText(NOTE);
  await expect(section.getByRole('list', { name: 'stderr, from the bridge' })).toContainText('ready');
  await openSection(page, 'Info');
  await expect(section).toContainText(NOTE);
  const inspector = new Inspector(page);
  expect(await inspector.entries('method:notifications/message')).toEqual([]);
  expect(await page.evaluate(() => window.reprise.servers()[0]?.bridge)).toEqual({
    transport: 'stdio',
    replay: 'bridge',
  });
  await inspector.stored();
  const seen = await page.evaluate(async () => [
    document.documentElement.outerHTML,
    await window.reprise.exportLog(),
    JSON.stringify([localStorage, sessionStorage, window.reprise.servers()]),
  ]);
  await expect(page.getByRole('textbox', { name: 'Server URL' })).toHaveValue(
    `http://localhost:${first.port}/mcp?token=‹redacted›`,
  );
  expect(seen.filter((text) => text.includes(first.token))).toEqual([]);

  await inspector.reload();
  await expect(status).toContainText('Reconnected');
  await first.close(true);

  // The next start has another token at the same port: the server on the list gets it.
  const second = await bridge({ port: first.port });
  await page.goto('about:blank');
  await page.goto(second.link);
  await expect(status).toHaveText('Connected');
  await expect(page.getByLabel('Server', { exact: true }).getByRole('option')).toHaveCount(1);

  // A link that this bridge doesn't confirm is one that anybody can have written.
  await page.goto('about:blank');
  await page.goto(second.link.replace(second.token, 'x'.repeat(40)));
  await expect(page.getByRole('region', { name: 'Link' })).toContainText('wants to connect');
  expect(page.url()).not.toContain('token');
});

test('reloads, a crash of the tab and the end of a call without a page lose nothing', async ({
  inspector,
  context,
  watch,
  bridge,
}) => {
  const { url } = await bridge();
  await inspector.connect(url);
  const twice = await inspector.call('countdown', { ticks: 30, intervalMs: 50 });
  await inspector.untilReceived(twice, 4);
  await inspector.reload();
  await inspector.untilReceived(twice, 10);
  await inspector.reload();
  await expectCounted(inspector, twice, 30);

  // The process ends its call while no page is there: the bridge has all of its events by then.
  const site = inspector.page.url();
  const sessionId = await sessionOf(inspector);
  const keptEvents = async () => (await statusOf(url, sessionId)).session?.kept.events ?? 0;
  const before = await keptEvents();
  const away = await inspector.call('countdown', { ticks: 10, intervalMs: 50 });
  await inspector.untilReceived(away, 3);
  await inspector.page.goto('about:blank');
  // Progress and a log message for each tick, an event ID to start with, and the result.
  await expect.poll(keptEvents).toBeGreaterThanOrEqual(before + 2 * 10 + 2);
  await inspector.page.goto(site);
  await inspector.ready();
  await expectCounted(inspector, away, 10);

  const many = await Promise.all(
    range(12).map(() => inspector.call('countdown', { ticks: 25, intervalMs: 100 })),
  );
  for (const id of many) await inspector.untilReceived(id, 1);
  await inspector.reload();
  for (const id of many) await expectCounted(inspector, id, 25);

  const crashed = await inspector.call('countdown', { ticks: 20, intervalMs: 50 });
  await inspector.untilReceived(crashed, 5);
  const crash = inspector.page.waitForEvent('crash');
  void inspector.page.goto('chrome://crash').catch(() => undefined);
  await crash;
  const next = await new Inspector(watch(await context.newPage())).open();
  await expectCounted(next, crashed, 20);
});

test('a login through the bridge is at the real server, and survives a reload', async ({
  page,
  watch,
  target,
  bridge,
}) => {
  const server = await target('oauth');
  const { link, token } = await bridge({
    servers: [{ transport: 'http', name: 'oauth', url: server.url, headers: {} }],
  });
  const inspector = new Inspector(watch(page));
  const resources: (string | null)[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/oauth/token')) return;
    resources.push(new URLSearchParams(request.postData() ?? '').get('resource'));
  });
  await page.goto(link);
  await untilState(inspector, 'authorizing');
  await expect(page.getByRole('region', { name: 'Login' })).toContainText(new URL(server.url).host);
  await logIn(inspector);
  await untilState(inspector, 'connected');
  expect(resources).toEqual([server.url]);
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }), 3);
  await inspector.reload();
  await untilState(inspector, 'connected');
  expect(resources).toHaveLength(1);
  await inspector.stored();
  const log = await page.evaluate(() => window.reprise.exportLog());
  expect(log).toContain('oauth-protected-resource');
  expect(log).not.toContain(token);
});

test(
  'questions wait for the next page; a call is cancelled; 10 MB come through',
  { tag: '@long' },
  async ({ inspector, bridge }) => {
    const { url } = await bridge();
    await inspector.connect(url);
    const ask = await inspector.call('ask', { question: 'Go on?' });
    await inspector.untilAsked();
    await inspector.reload();
    await inspector.answer(await inspector.untilAsked(), { action: 'accept', content: { answer: 'yes' } });
    expect(await resultOf(inspector, ask)).toMatchObject({ action: 'accept', content: { answer: 'yes' } });

    const sample = await inspector.call('sample', { prompt: 'Say hello' });
    await inspector.untilAsked();
    await inspector.reload();
    const hello = { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'me' };
    await inspector.answer(await inspector.untilAsked(), hello);
    expect(await resultOf(inspector, sample)).toMatchObject({ content: { text: 'hello' } });
    const roots = await inspector.call('roots');
    await inspector.reloadAtOnce();
    expect(await resultOf(inspector, roots)).toEqual({ roots: [] });

    const long = await inspector.call('countdown', { ticks: 1000, intervalMs: 50 });
    await inspector.untilReceived(long, 2);
    await inspector.reload();
    await inspector.page.evaluate((id) => window.reprise.cancel(id), long);
    expect((await inspector.untilEnded(long)).name).toBe('cancelled');
    // The process was told: the next call is answered at once, and its ticks stop.
    expect(await resultOf(inspector, await inspector.call('pid'))).toEqual(expect.any(Number));

    const big = await inspector.call('big', { bytes: 10_000_000 });
    await inspector.reloadAtOnce();
    expect(await resultOf(inspector, big)).toHaveLength(10_000_000);
  },
);

test(
  'a process that crashes fails its calls once, garbage is skipped, and a stubborn one is ended',
  { tag: '@long' },
  async ({ inspector, bridge }) => {
    const stubborn = await bridge({ servers: [stdioServer('--stubborn', '--greets')] });
    await inspector.connect(stubborn.url);
    const pid = (await resultOf(inspector, await inspector.call('pid'))) as number;
    expect(await resultOf(inspector, await inspector.call('garbage', { lines: 5 }))).toBe(5);
    await openSection(inspector.page, 'Bridge');
    await expect(inspector.page.getByRole('main')).toContainText('Listening on port 3000');
    await inspector.page.evaluate(() => window.reprise.disconnect());

    const { url } = await bridge();
    await inspector.connect(url);
    const open = await inspector.call('countdown', { ticks: 1000, intervalMs: 50 });
    await inspector.untilReceived(open, 2);
    const crash = await inspector.call('crash', { code: 7 });
    await inspector.reloadAtOnce();
    for (const id of [open, crash]) {
      const call = await inspector.untilEnded(id);
      expect(call).toMatchObject({
        name: 'settled',
        error: { code: -32000, message: 'The server process exited with code 7.' },
      });
    }
    // The next session has a process of its own.
    const again = await inspector.call('countdown', { ticks: 3, intervalMs: 10 });
    await expectCounted(inspector, again, 3);

    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  },
);

test(
  'server-everything over stdio survives a reload in the middle of a call',
  { tag: '@long' },
  async ({ inspector, bridge }) => {
    const { url } = await bridge({ servers: [everythingOverStdio()] });
    await inspector.connect(url);
    const id = await inspector.call('trigger-long-running-operation', { duration: 2, steps: 20 });
    await inspector.untilReceived(id, 4);
    await inspector.reload();
    const call = await inspector.untilEnded(id);
    expect(call).toMatchObject({ name: 'settled', received: 21, duplicates: 0 });
    expect(await inspector.ticks(id)).toEqual(range(20));
  },
);

async function sessionOf(inspector: Inspector): Promise<string> {
  const request = inspector.page.waitForRequest((one) => one.headers()['mcp-session-id'] !== undefined);
  await inspector.untilEnded(await inspector.call('pid'));
  return (await request).headers()['mcp-session-id'] ?? '';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
