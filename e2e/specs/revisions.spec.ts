/** Which way of the protocol a server speaks: found out, chosen, kept across reloads, and found out anew after an upgrade. */
import { createServer, request as connectOnward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './inspector.ts';
import { openSection } from './sections.ts';

test(
  'automatic, session and stateless against one address that speaks both',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('dual');
    const { page } = inspector;
    // A reload can resume calls in its sessions, and not without: that is found out once.
    await inspector.connect(server.url);
    const chosen = { era: 'session', protocolVersion: '2025-11-25', sessions: { name: 'resumable' } };
    expect((await inspector.entries('kind:era')).at(-1)).toMatchObject(chosen);
    expect(await inspector.entries('kind:sent method:server/discover')).toHaveLength(1);
    await inspector.page.evaluate(() => window.reprise.disconnect());
    await inspector.connect(server.url);
    const [first, second] = await inspector.entries('kind:era');
    expect(second).toMatchObject({ ...chosen, sessions: (first as { sessions?: object }).sessions });
    expect(server.stats().initializes).toBe(2);
    const before = (await inspector.entries('kind:sent method:server/discover')).length;
    const followed = await inspector.call('countdown', { ticks: 8, intervalMs: 100 });
    await inspector.untilReceived(followed, 3);
    await inspector.reload();
    expect(await inspector.state()).toMatchObject({ name: 'connected', how: 'resumed' });
    await inspector.expectWhole(followed, 8);
    expect(await inspector.entries('kind:sent method:server/discover')).toHaveLength(before);
    expect(server.stats().initializes).toBe(2);
    // The other way is one click away, and so is the way back.
    await openSection(page, 'Info');
    await expect(page.getByRole('main')).toContainText(
      /Uses sessions \(2025-11-25\): a reload can resume calls there\. Checked on \S+/,
    );
    await page.getByRole('button', { name: 'Use 2026-07-28 (stateless)' }).click();
    await expect(page.getByRole('button', { name: 'Use sessions (2025-11-25)' })).toBeVisible();
    expect((await inspector.entries('kind:era')).at(-1)).toMatchObject({ era: 'stateless' });
    expect(
      server.stats().sessions.filter(({ id, ended }) => id !== 'stateless' && ended === undefined),
    ).toEqual([]);
    const cancelled = await inspector.call('countdown', { ticks: 50, intervalMs: 100 });
    await inspector.untilReceived(cancelled, 3);
    await inspector.reload();
    expect(await inspector.callNamed(cancelled)).toMatchObject({
      name: 'cancelled',
      why: expect.stringContaining('Cancelled by the reload'),
    });
    await openSection(page, 'Info');
    await expect(page.getByRole('main')).toContainText('stateless');
    await expect(page.getByRole('main')).toContainText(/public, expires in \d+ min/);
    await expect(page.getByRole('main')).not.toContainText('keeps');
    await page.getByRole('button', { name: 'Use sessions (2025-11-25)' }).click();
    await expect(page.getByRole('main')).toContainText('Uses sessions (2025-11-25)');
    expect((await inspector.entries('kind:era')).at(-1)).toMatchObject({ era: 'session' });
  },
);

test('a server without 2026-07-28 is spoken to with sessions, unless that was ruled out', async ({
  inspector,
  target,
}) => {
  const server = await target('resumable');
  await inspector.connect(server.url);
  expect((await inspector.entries('kind:era')).at(-1)).toMatchObject({ era: 'session' });
  const state = await inspector.page.evaluate(
    (url) => window.reprise.connect(url, { revision: 'stateless' }),
    server.url,
  );
  expect(state).toMatchObject({ name: 'failed', why: expect.stringContaining('doesn’t support 2026-07-28') });
});

test('sessions without event IDs are tried once, not used, and nothing is left behind', async ({
  inspector,
  target,
}) => {
  const server = await target('dual', { overrides: { createEventStore: null } });
  await inspector.connect(server.url);
  await inspector.page.evaluate(() => window.reprise.disconnect());
  await inspector.connect(server.url);
  const [first, second] = await inspector.entries('kind:era');
  expect(first).toMatchObject({ era: 'stateless', protocolVersion: '2026-07-28' });
  expect(second).toMatchObject({ era: 'stateless', sessions: (first as { sessions?: object }).sessions });
  const tries = await inspector.entries('kind:sent method:initialize -method:notifications/initialized');
  expect(tries).toHaveLength(1);
  const left = () =>
    server.stats().sessions.filter(({ id, ended }) => id !== 'stateless' && ended === undefined);
  await expect.poll(left).toEqual([]);
  await openSection(inspector.page, 'Info');
  await expect(inspector.page.getByRole('main')).toContainText('they have no event IDs');
});

test('a server of 2026-07-28 alone gets no initialize, and the page says what it saw', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await inspector.connect(server.url);
  expect((await inspector.entries('kind:era')).at(-1)).toMatchObject({
    era: 'stateless',
    sessions: { name: 'untried' },
  });
  expect(await inspector.entries('kind:sent method:initialize')).toEqual([]);
  await openSection(inspector.page, 'Info');
  await expect(inspector.page.getByRole('main')).toContainText('The server responded to GET with HTTP 405.');
});

test(
  'a server that is upgraded between two page loads is recognised, and nothing that was stored is lost',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('dual');
    await server.control('era-session');
    await inspector.connect(server.url);
    expect((await inspector.entries('kind:era')).at(-1)).toMatchObject({ era: 'session' });
    const done = await inspector.call('countdown', { ticks: 2, intervalMs: 20 });
    const result = (await inspector.untilEnded(done)).result;
    const open = await inspector.call('countdown', { ticks: 100, intervalMs: 100 });
    await inspector.untilReceived(open, 2);
    const entries = (await inspector.entries()).length;

    await inspector.page.goto('about:blank');
    await server.control('era-stateless');
    await inspector.open();
    const { page } = inspector;
    await expect(page.getByRole('status').first()).toContainText('The server now uses 2026-07-28, stateless');
    expect(await inspector.callNamed(open)).toMatchObject({ name: 'lost' });
    expect((await inspector.callNamed(done)).result).toEqual(result);
    expect((await inspector.entries()).length).toBeGreaterThan(entries);
    const again = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
    await inspector.expectWhole(again, 3);

    // And back: a question that waits does not outlive the revision that it was asked in.
    const asked = await inspector.call('ask', { question: 'Before the change?' });
    await inspector.untilAsked();
    await page.goto('about:blank');
    await server.control('era-session');
    await inspector.open();
    await expect(page.getByRole('status').first()).toContainText(
      'The server now uses 2025-11-25, with sessions',
    );
    expect(await inspector.callNamed(asked)).toMatchObject({
      name: 'lost',
      reason: 'protocol-version-changed',
    });
    const last = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
    await inspector.expectWhole(last, 3);
    expect((await inspector.callNamed(done)).result).toEqual(result);
  },
);

test('a probe that the browser blocks is no proof of an earlier version, and the page says so', async ({
  inspector,
  target,
}) => {
  const behind = await target('dual');
  // It allows a page the headers of sessions, not those of 2026-07-28.
  const server = createServer((request, response) => {
    const allowed = {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type, mcp-session-id, mcp-protocol-version, last-event-id',
      'access-control-expose-headers': 'mcp-session-id',
    };
    if (request.method === 'OPTIONS') {
      response.writeHead(204, allowed).end();
      return;
    }
    const { method, headers } = request;
    const onward = connectOnward(behind.url, { method: method ?? '', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...allowed });
      answer.pipe(response);
    });
    request.pipe(onward);
    response.on('close', () => onward.destroy());
    onward.on('error', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  try {
    const connect = (revision: 'auto' | 'stateless') =>
      inspector.page.evaluate(([u, r]) => window.reprise.connect(u, { revision: r }), [
        url,
        revision,
      ] as const);
    expect(await connect('stateless')).toMatchObject({
      name: 'failed',
      why: expect.stringContaining('The browser blocked the response (CORS)'),
    });
    expect(await connect('auto')).toMatchObject({ name: 'connected' });
    expect((await inspector.entries('kind:era')).at(-1)).toMatchObject({ era: 'session' });
    await openSection(inspector.page, 'Info');
    await expect(inspector.page.getByRole('main')).toContainText('may still support 2026-07-28');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the demo of 2026-07-28: a call is a task, and a reload follows it', async ({ inspector }) => {
    const { page } = inspector;
    await page.getByRole('button', { name: 'Demo: stateless server (spec 2026-07-28)' }).click();
    await expect.poll(async () => (await inspector.state()).name).toBe('connected');
    const id = await inspector.call('countdown', { ticks: 6, intervalMs: 300 });
    await expect.poll(async () => (await inspector.callNamed(id)).taskId).toBeTruthy();
    await inspector.reload();
    expect((await inspector.untilEnded(id)).result).toMatchObject({
      structuredContent: { ticks: [1, 2, 3, 4, 5, 6] },
    });
  });
});
