/** Harder ends than a reload: the tab dies, the browser is closed, the server is away, too many calls, two tabs. */
import type { Route } from '@playwright/test';
import { expect, openTab, Inspector, range, test } from './inspector.ts';
import { callRow } from './timelinePage.ts';

const TICKS = 12;
const COUNTDOWN = { ticks: TICKS, intervalMs: 150 };

test(
  'a tab that crashes, and another one opened after it',
  { tag: '@crash' },
  async ({ inspector, target, context, watch }) => {
    const server = await target('resumable');
    await inspector.connect(server.url);
    const id = await inspector.call('countdown', COUNTDOWN);
    await inspector.untilReceived(id, 6);
    const crashed = inspector.page.waitForEvent('crash');
    void inspector.page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    const second = await openTab(context, watch);
    expect((await second.expectWhole(id, TICKS)).duplicates).toBe(0);
  },
);

test(
  'the browser is closed and opened again on the same profile',
  { tag: '@long' },
  async ({ startBrowser, target, watch }) => {
    const server = await target('resumable');
    const first = await startBrowser();
    const before = await openTab(first, watch);
    await before.connect(server.url);
    const id = await before.call('countdown', COUNTDOWN);
    await before.untilReceived(id, 6);
    await first.close();
    const second = await startBrowser();
    const after = await openTab(second, watch);
    expect((await after.expectWhole(id, TICKS)).duplicates).toBe(0);
  },
);

/** The demo lives in the browser: what ends the browser, or its worker, is a restart of this server. */
async function expectHonestRestart(inspector: Inspector, id: string): Promise<void> {
  expect(await inspector.untilEnded(id)).toMatchObject({ name: 'lost' });
  await inspector.page.waitForFunction(() => {
    const state = window.reprise.state();
    return state.name === 'connected' && state.how === 'restarted';
  });
  expect(await inspector.state()).toMatchObject({ note: expect.stringContaining('1 call lost') });
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }), 3);
}

const demoUrl = (inspector: Inspector) =>
  inspector.page.evaluate(() => new URL('demo/mcp', document.baseURI).href);

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test(
    'the demo: its worker is stopped under an open page',
    { tag: '@cdp' },
    async ({ inspector, context }) => {
      await inspector.connect(await demoUrl(inspector), { name: 'demo' });
      const id = await inspector.call('countdown', { ticks: 40, intervalMs: 150 });
      await inspector.untilReceived(id, 4);
      const devtools = await context.newCDPSession(inspector.page);
      await devtools.send('ServiceWorker.enable');
      await devtools.send('ServiceWorker.stopAllWorkers');
      await expectHonestRestart(inspector, id);
    },
  );

  test(
    'the demo: the browser is closed and opened again',
    { tag: '@long' },
    async ({ startBrowser, watch }) => {
      const first = await startBrowser();
      const before = await openTab(first, watch);
      await before.connect(await demoUrl(before), { name: 'demo' });
      const id = await before.call('countdown', { ticks: 40, intervalMs: 150 });
      await before.untilReceived(id, 4);
      await first.close();
      const second = await startBrowser();
      await expectHonestRestart(await openTab(second, watch), id);
    },
  );

  test('the demo: the tab crashes', { tag: '@crash' }, async ({ inspector, context, watch }) => {
    await inspector.connect(await demoUrl(inspector), { name: 'demo' });
    const id = await inspector.call('countdown', { ticks: 40, intervalMs: 150 });
    await inspector.untilReceived(id, 4);
    const crashed = inspector.page.waitForEvent('crash');
    void inspector.page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    const second = await openTab(context, watch);
    // A worker may share the process of the page, or not. It says itself whether it still runs the call.
    const stats = await second.page.evaluate(
      async () => (await (await fetch('demo/__control/stats')).json()) as { calls: Record<string, number> },
    );
    if (stats.calls['countdown'] === 1) await second.expectWhole(id, 40);
    else await expectHonestRestart(second, id);
  });
});

test(
  'the server is out of reach for four attempts and comes back',
  { tag: '@long' },
  async ({ inspector, target, faultProxy }) => {
    const server = await target('resumable');
    const proxy = await faultProxy(server.url);
    await inspector.connect(`${proxy.origin}/mcp`);
    const id = await inspector.call('countdown', { ticks: 40, intervalMs: 150 });
    await inspector.untilReceived(id, 8);
    const admit = await proxy.refuse();
    await inspector.page.waitForFunction(() => {
      const state = window.reprise.state();
      return state.name === 'reconnecting' && state.attempt >= 4;
    });
    await admit();
    const call = await inspector.expectWhole(id, 40);
    expect(call.replayed).toBeGreaterThan(10);
    await expect.poll(() => inspector.state(), { timeout: 20_000 }).toMatchObject({ how: 'resumed' });
  },
);

test('a reload while a new session is being begun still tells that the server was restarted, and the cost', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url);
  const id = await inspector.call('countdown', { ticks: 500, intervalMs: 100 });
  await inspector.untilReceived(id, 2);
  // The page learns that its session is gone, and can't begin a new one.
  await page.route(server.url, (route) =>
    route.request().postData()?.includes('"initialize"')
      ? route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } })
      : route.continue(),
  );
  await server.control('expire-sessions');
  await expect.poll(async () => (await inspector.callNamed(id)).name).toBe('lost');
  await inspector.reload();
  expect(await inspector.state()).toMatchObject({ name: 'reconnecting' });
  await page.unrouteAll({ behavior: 'wait' });
  await expect
    .poll(() => inspector.state())
    .toMatchObject({
      name: 'connected',
      how: 'restarted',
      note: expect.stringContaining('Server restarted: 1 call lost, lists refreshed.'),
      cost: { callsLost: 1, questionsExpired: 0 },
    });
});

test(
  'the server is out of reach while the page is loaded again',
  { tag: '@long' },
  async ({ inspector, target, faultProxy }) => {
    const server = await target('resumable');
    const proxy = await faultProxy(server.url);
    await inspector.connect(`${proxy.origin}/mcp`);
    const id = await inspector.call('countdown', { ticks: 20, intervalMs: 150 });
    await inspector.untilReceived(id, 8);
    const admit = await proxy.refuse();
    await inspector.reload();
    expect(await inspector.state()).toMatchObject({ name: 'reconnecting' });
    await admit();
    await inspector.expectWhole(id, 20);
  },
);

test('a second reload while the page starts', { tag: '@engines' }, async ({ inspector, target }) => {
  const server = await target('resumable');
  await inspector.connect(server.url);
  const id = await inspector.call('countdown', COUNTDOWN);
  await inspector.untilReceived(id, 6);
  // The note of a start is the moment in which the page knows its server, and hasn't drawn it yet.
  await inspector.page.addInitScript(() => {
    const setItem = Reflect.get(Storage.prototype, 'setItem');
    Storage.prototype.setItem = function (key, value) {
      setItem.call(this, key, value);
      if (!key.startsWith('reprise.starting/') || sessionStorage.getItem('again') !== null) return;
      setItem.call(sessionStorage, 'again', 'yes');
      location.reload();
    };
  });
  await inspector.page.reload({ waitUntil: 'commit' });
  await inspector.page.waitForFunction(() => sessionStorage.getItem('again') !== null && 'reprise' in window);
  await expect.poll(() => inspector.state().catch(() => undefined)).toMatchObject({ how: 'resumed' });
  await inspector.expectWhole(id, TICKS);
});

test(
  'what the server says of its own accord while no page is there',
  { tag: '@engines' },
  async ({ inspector, target }) => {
    const server = await target('resumable');
    await inspector.connect(server.url);
    const home = inspector.page.url();
    await inspector.page.goto(new URL('icon-maskable.svg', home).href);
    await server.control('announce');
    await server.control('announce');
    await inspector.page.goto(home);
    await inspector.ready();
    await expect
      .poll(() => inspector.entries('method:message stream:standalone replayed:true'))
      .toHaveLength(2);
    expect(await inspector.state()).toMatchObject({ how: 'resumed', recovered: 2 });
  },
);

test(
  'twelve calls in flight over HTTP/1.1, and a reload',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('resumable');
    await inspector.connect(server.url);
    const ids = await Promise.all(
      range(12).map(() => inspector.call('countdown', { ticks: 20, intervalMs: 150 })),
    );
    for (const id of ids) await inspector.untilReceived(id, 1);
    await inspector.reload();
    for (const id of ids) expect((await inspector.expectWhole(id, 20)).duplicates).toBe(0);
  },
);

test(
  'two tabs on one server: one leads, the other follows and takes over',
  { tag: '@engines' },
  async ({ inspector, target, context, watch }) => {
    const server = await target('resumable');
    await inspector.connect(server.url);
    const id = await inspector.call('countdown', { ticks: 40, intervalMs: 150 });
    await inspector.untilReceived(id, 4);
    const second = await openTab(context, watch);
    await second.untilReceived(id, 8);
    expect(await second.state()).toMatchObject({ name: 'connected' });
    const fromFollower = await second.call('countdown', { ticks: 2, intervalMs: 10 });
    await second.expectWhole(fromFollower, 2);
    const [leading, following] = await Promise.all([inspector.entries(), second.entries()]);
    const common = Math.min(leading.length, following.length);
    expect(following.slice(0, common)).toEqual(leading.slice(0, common));
    expect(common).toBeGreaterThan(20);
    await inspector.page.close();
    const call = await second.expectWhole(id, 40);
    expect(call.duplicates).toBe(0);
    // The call may have ended before the first tab was closed: taking over goes on after its result.
    await expect.poll(() => second.state()).toMatchObject({ name: 'connected', how: 'resumed' });
    expect(Object.values(server.stats().sessions)).toHaveLength(1);
  },
);

test(
  'the last result, the open call and the entries are painted before the network answers',
  { tag: '@engines' },
  async ({ inspector, target, faultProxy }) => {
    const server = await target('resumable');
    const proxy = await faultProxy(server.url);
    const { page } = inspector;
    await inspector.connect(`${proxy.origin}/mcp`);
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 10 }), 3);
    const open = await inspector.call('countdown', { ticks: 60, intervalMs: 150 });
    await inspector.untilReceived(open, 4);
    // A network that says nothing at all: what is painted comes from the log.
    proxy.inject({ kind: 'stall', atByte: 0 }, 100);
    proxy.cutAll();
    await page.reload();
    await expect(page.getByRole('status')).toContainText('Reconnecting');
    await expect(page.getByRole('progressbar')).toBeVisible();
    await expect(callRow(page, /^countdown .*running/)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Tools' })).toContainText('countdown');
  },
);

test('a bearer token survives a reload, and is nowhere to be read', async ({ inspector, target }) => {
  const server = await target('resumable');
  const bearer = 'bearer-4f1d9c';
  await inspector.connect(server.url, { bearer });
  await inspector.reload();
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  const sent = await inspector.entries('kind:http');
  expect(JSON.stringify(sent.at(-1))).toContain('Bearer ‹redacted›');
  const everything = await inspector.page.evaluate(async () => {
    const stored = await new Promise<unknown[]>((resolve) => {
      const opening = indexedDB.open('reprise');
      opening.onsuccess = () => {
        const request = opening.result.transaction('records').objectStore('records').getAll();
        request.onsuccess = () => {
          resolve(request.result as unknown[]);
        };
      };
    });
    const text = (value: unknown): string =>
      JSON.stringify(value, (_key, part: unknown) =>
        part instanceof ArrayBuffer ? new TextDecoder().decode(part) : part,
      );
    return [
      text(stored),
      await window.reprise.exportLog(),
      text(Object.entries(localStorage)),
      text(Object.entries(sessionStorage)),
    ];
  });
  for (const text of everything) expect(text).not.toContain(bearer);
});

test(
  'a question that waits for its person does not look like trouble',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('slow-409');
    await inspector.connect(server.url);
    await inspector.call('ask', { question: 'Still there?' });
    await inspector.untilAsked();
    await inspector.reload();
    await inspector.page.waitForFunction(() => window.reprise.state().name === 'connected');
    const asked = await inspector.untilAsked();
    const troubles = () => inspector.entries('kind:state "previous stream"');
    const before = (await troubles()).length;
    // Longer than the silence after which a stream is asked again.
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 14, intervalMs: 500 }), 14);
    expect(await troubles()).toHaveLength(before);
    await inspector.answer(asked, { action: 'decline' });
  },
);

test('a sampling request can be declined, and the tool hears of it', async ({ inspector, target }) => {
  const server = await target('resumable');
  await inspector.connect(server.url);
  const id = await inspector.call('sample', { prompt: 'Say hello.' });
  await inspector.untilAsked();
  await inspector.page
    .getByRole('region', { name: 'Inbox' })
    .getByRole('button', { name: 'Decline', exact: true })
    .click();
  const call = await inspector.untilEnded(id);
  expect(JSON.stringify(call.result ?? call.error)).toContain('Declined by the user');
});

test('a new connection keeps the token, and never takes it to another origin', async ({
  inspector,
  target,
}) => {
  const [one, other] = [await target('resumable'), await target('resumable')];
  const bearerSent = async (): Promise<boolean> =>
    JSON.stringify((await inspector.entries('kind:http')).at(-1)).includes('Bearer');
  await inspector.connect(one.url, { name: 'same', bearer: 'bearer-4f1d9c' });
  await inspector.connect(one.url, { name: 'same' });
  expect(await bearerSent()).toBe(true);
  await inspector.connect(other.url, { name: 'same' });
  expect(await bearerSent()).toBe(false);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('nothing is reported to the console while a server is inspected', async ({
    page,
    watch,
    target,
    browserName,
  }) => {
    const reported: string[] = [];
    watch(page).on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') reported.push(message.text());
    });
    const inspector = await new Inspector(page).open();
    const server = await target('resumable');
    await inspector.connect(server.url);
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 10 }), 3);
    await inspector.reload();
    // A server with sessions refuses the question for its era, once; Chromium reports that, whatever the page does.
    expect(reported).toEqual(browserName === 'chromium' ? [expect.stringContaining('status of 400')] : []);
  });
});

test(
  'a tool that takes longer than it may is cancelled, also after a reload',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('resumable');
    await inspector.connect(server.url);
    const id = await inspector.call('countdown', { ticks: 100, intervalMs: 200 }, { timeoutMs: 4000 });
    await inspector.untilReceived(id, 2);
    await inspector.reload();
    const call = await inspector.untilEnded(id);
    expect(call).toMatchObject({
      name: 'cancelled',
      why: expect.stringContaining('Timed out after 4 seconds'),
    });
    expect((await inspector.entries('kind:sent method:notifications/cancelled'))[0]?.message).toMatchObject({
      params: { requestId: id },
    });
  },
);

// Only CDP tells that a request was aborted which is held on its way.
test(
  'a call that is cancelled while its stream is being asked for leaves none open',
  { tag: '@cdp' },
  async ({ inspector, target }) => {
    const server = await target('stays-open');
    await inspector.connect(server.url);
    const id = await inspector.call('countdown', { ticks: 100, intervalMs: 200 });
    await inspector.untilReceived(id, 2);
    // Both streams, the call's and the standalone one, are held on their way to the server.
    const { page } = inspector;
    const held: Route[] = [];
    await page.route(server.url, async (route) => {
      if ('last-event-id' in route.request().headers()) held.push(route);
      else await route.continue();
    });
    await page.reload();
    await expect.poll(() => held.length).toBe(2);
    const cancelled = page.evaluate((callId) => window.reprise.cancel(callId), id);
    await expect.poll(async () => (await inspector.callNamed(id)).name).toBe('cancelled');
    // The one of the call is aborted by the page, before the server has answered it.
    await expect.poll(() => held.filter((route) => route.request().failure() !== null).length).toBe(1);
    await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
    await cancelled;
    // Long before silence would have ended it.
    await expect.poll(() => server.stats().sessions[0]?.openStreams, { timeout: 4500 }).toBe(1);
  },
);

test('disconnecting ends the session on the server, and a reload does not bring it back', async ({
  inspector,
  target,
}) => {
  const server = await target('resumable');
  await inspector.connect(server.url);
  await inspector.page.evaluate(() => window.reprise.disconnect());
  await expect.poll(() => server.stats().sessions.filter(({ deletes }) => deletes > 0)).toHaveLength(1);
  await inspector.reload();
  expect(await inspector.state()).toMatchObject({ name: 'disconnected' });
  await inspector.page.evaluate(() => window.reprise.disconnect({ forget: true }));
  expect(await inspector.entries()).toEqual([]);
});
