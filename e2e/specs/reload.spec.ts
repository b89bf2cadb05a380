/** The promise, against the embedded demo and against a server on real TCP: nothing lost, nothing twice, in order. */
import type { RunningTarget } from '../../targets/startTarget.ts';
import { expect, range, test as base, type Inspector } from './inspector.ts';

interface Server {
  /** How often a tool was started, as the server itself counts. */
  started(tool: string): Promise<number>;
  /** How many messages of a call the server has sent, delivered or not. */
  sent(callId: string): Promise<number>;
  /** Also while the page is away. */
  restart(): Promise<void>;
}

interface Fixtures {
  connected: Inspector;
  server: Server;
}

const TICKS = 24;
const COUNTDOWN = { ticks: TICKS, intervalMs: 150 };

const test = base.extend<Fixtures & { where: 'demo' | 'tcp' }>({
  where: ['tcp', { option: true }],
  server: async ({ where, inspector, target }, use) => {
    const { page } = inspector;
    if (where === 'tcp') {
      const running = await target('resumable');
      await inspector.connect(running.url);
      await use({
        ...counted(() => Promise.resolve(running.stats())),
        restart: () => running.control('restart'),
      });
    } else {
      await inspector.connect(await page.evaluate(() => new URL('demo/mcp', document.baseURI).href), {
        name: 'demo',
      });
      await use({
        ...counted(() =>
          page.evaluate(async () => (await (await fetch('demo/__control/stats')).json()) as StatsView),
        ),
        restart: async () => {
          const other = await page.context().newPage();
          await other.goto('./icon-maskable.svg');
          await other.evaluate(() => fetch('demo/__control/restart', { method: 'POST' }));
          await other.close();
        },
      });
    }
  },
  connected: async ({ inspector, server }, use) => {
    // It begins with nothing, and is connected before this is used.
    expect(await server.started('countdown')).toBe(0);
    await use(inspector);
  },
});

type StatsView = Pick<ReturnType<RunningTarget['stats']>, 'sessions'>;

function counted(read: () => Promise<StatsView>): Pick<Server, 'started' | 'sent'> {
  const sum = async (
    count: (session: StatsView['sessions'][number]) => number | undefined,
  ): Promise<number> => (await read()).sessions.reduce((total, session) => total + (count(session) ?? 0), 0);
  return {
    started: (tool) => sum(({ calls }) => calls[tool]),
    sent: (callId) => sum(({ streams }) => streams[callId]?.sent),
  };
}

for (const where of ['tcp', 'demo'] as const) {
  test.describe(where === 'tcp' ? 'a server on TCP' : 'the embedded demo', () => {
    // The worker is the same server: in another engine than Chromium, two tests of it are enough.
    const onTcp = where === 'tcp' ? '@engines' : [];
    test.use({ where, serviceWorkers: where === 'demo' ? 'allow' : 'block' });

    test('one reload in the middle of a call', { tag: '@engines' }, async ({ connected, server }) => {
      const id = await connected.call('countdown', COUNTDOWN);
      await connected.untilReceived(id, 6);
      await connected.reload();
      expect(await connected.state()).toMatchObject({ name: 'connected', how: 'resumed' });
      const call = await connected.expectWhole(id, TICKS);
      expect(call.duplicates).toBe(0);
      expect(call.received).toBe(await server.sent(id));
      expect(await server.started('countdown')).toBe(1);
    });

    test(
      'two reloads in the middle of a call, each at another moment',
      { tag: onTcp },
      async ({ connected, server }) => {
        const id = await connected.call('countdown', COUNTDOWN);
        await connected.untilReceived(id, 3);
        await connected.reload();
        await connected.untilReceived(id, 12);
        await connected.reload();
        const call = await connected.expectWhole(id, TICKS);
        expect(call.duplicates).toBe(0);
        expect(call.received).toBe(await server.sent(id));
        expect(await server.started('countdown')).toBe(1);
        expect(new Set((await connected.entries()).map(({ load }) => load)).size).toBe(3);
      },
    );

    test(
      'three calls run on and a new one starts in the new page',
      { tag: onTcp },
      async ({ connected, server }) => {
        const ids = await Promise.all([1, 2, 3].map(() => connected.call('countdown', COUNTDOWN)));
        for (const id of ids) await connected.untilReceived(id, 4);
        await connected.reload();
        const fresh = await connected.call('countdown', { ticks: 4, intervalMs: 50 });
        await connected.expectWhole(fresh, 4);
        for (const id of ids) expect((await connected.expectWhole(id, TICKS)).duplicates).toBe(0);
        expect(await server.started('countdown')).toBe(4);
      },
    );

    test('a question that is answered in the new page', { tag: onTcp }, async ({ connected }) => {
      const id = await connected.call('ask', { question: 'Still there?' });
      const asked = await connected.untilAsked();
      expect(await connected.callNamed(id)).toMatchObject({ name: 'needs-input' });
      await connected.reload();
      expect(await connected.callNamed(id)).toMatchObject({ name: 'needs-input' });
      await connected.answer(asked, { action: 'accept', content: { answer: 'yes, still' } });
      const call = await connected.untilEnded(id);
      expect(JSON.stringify(call.result)).toContain('yes, still');
    });

    test('a sampling request that is answered in the new page', async ({ connected }) => {
      const id = await connected.call('sample', { prompt: 'Say hello.' });
      const asked = await connected.untilAsked();
      await connected.reload();
      await connected.answer(asked, {
        role: 'assistant',
        model: 'person',
        content: { type: 'text', text: 'hello from the second page' },
      });
      const call = await connected.untilEnded(id);
      expect(JSON.stringify(call.result)).toContain('hello from the second page');
    });

    test('the tool ends while no page is there', { tag: '@engines' }, async ({ connected, server }) => {
      const id = await connected.call('countdown', { ticks: 6, intervalMs: 250 });
      await connected.untilReceived(id, 2);
      const home = connected.page.url();
      // A picture is no page of the app, but one from which the demo can still be asked.
      await connected.page.goto(new URL('icon-maskable.svg', home).href);
      await expect.poll(() => server.sent(id)).toBe(13);
      await connected.page.goto(home);
      await connected.ready();
      const call = await connected.expectWhole(id, 6);
      const missed = await connected.entries(`kind:received load:2 call:${id}`);
      expect(missed.length).toBeGreaterThan(0);
      expect(call.replayed).toBe(missed.length);
      expect(await connected.state()).toMatchObject({ how: 'resumed', recovered: call.replayed });
      expect(await server.started('countdown')).toBe(1);
    });

    test('a tool error and a JSON-RPC error that come after the reload', async ({ connected }) => {
      const failing = await connected.call('fail', { afterMs: 4000 });
      const crashing = await connected.call('crash', { afterMs: 4000 });
      // Each stream has named a position: before that, what came of a call cannot be known.
      for (const id of [failing, crashing]) {
        await expect.poll(() => connected.entries(`kind:position call:${id}`)).not.toHaveLength(0);
      }
      await connected.reload();
      expect(await connected.untilEnded(failing)).toMatchObject({
        name: 'settled',
        result: { isError: true },
      });
      expect(await connected.untilEnded(crashing)).toMatchObject({
        name: 'settled',
        error: { code: -32050, message: expect.stringContaining('Crashed on purpose after 4000 ms') },
      });
    });

    test('the server restarts: lost calls are named, lists refreshed, a new call works', async ({
      connected,
      server,
    }) => {
      const done = await connected.call('countdown', { ticks: 2, intervalMs: 10 });
      await connected.expectWhole(done, 2);
      const id = await connected.call('countdown', COUNTDOWN);
      await connected.call('ask', { question: 'Still there?' });
      await connected.untilAsked();
      await connected.untilReceived(id, 4);
      await connected.page.goto('about:blank');
      await server.restart();
      await connected.open();
      await connected.page.waitForFunction(() => {
        const state = window.reprise.state();
        return state.name === 'connected' && state.how === 'restarted';
      });
      expect(await connected.state()).toMatchObject({
        note: expect.stringMatching(/2 calls lost, 1 input request expired, lists refreshed/),
      });
      expect(await connected.callNamed(id)).toMatchObject({ name: 'lost' });
      expect((await connected.callNamed(id)).why).toContain('Session not found');
      expect(await connected.callNamed(done)).toMatchObject({ name: 'settled' });
      expect(
        await connected.page.evaluate(async () => (await window.reprise.tools()).length),
      ).toBeGreaterThan(5);
      const fresh = await connected.call('countdown', { ticks: 3, intervalMs: 20 });
      await connected.expectWhole(fresh, 3);
    });

    test('the server restarts under an open page', async ({ connected, server }) => {
      const id = await connected.call('countdown', COUNTDOWN);
      await connected.untilReceived(id, 4);
      await server.restart();
      expect(await connected.untilEnded(id)).toMatchObject({ name: 'lost' });
      await connected.page.waitForFunction(() => window.reprise.state().name === 'connected');
      const fresh = await connected.call('countdown', { ticks: 3, intervalMs: 20 });
      await connected.expectWhole(fresh, 3);
    });

    test('finished results stay', async ({ connected }) => {
      const id = await connected.call('countdown', { ticks: 3, intervalMs: 10 });
      await connected.expectWhole(id, 3);
      await connected.reload();
      expect((await connected.callNamed(id)).result).toMatchObject({
        structuredContent: { ticks: range(3) },
      });
    });
  });
}

test('a page that is about to be left while it starts opens no stream', async ({ connected }) => {
  const { page } = connected;
  await page.addInitScript(() => {
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (...given) => {
      indexedDB.open = open;
      // The app waits for its storage here.
      dispatchEvent(new Event('beforeunload'));
      Object.assign(window, { leavesAt: Date.now() });
      return open(...given);
    };
  });
  const opened = page.waitForRequest(
    (request) => request.method() === 'GET' && request.url().endsWith('/mcp'),
  );
  let openedAt = 0;
  void opened.then(() => (openedAt = Date.now()));
  await page.reload();
  const leavesAt = await page.evaluate(() => (window as unknown as { leavesAt: number }).leavesAt);
  // It isn't left after all.
  await opened;
  expect(openedAt - leavesAt).toBeGreaterThan(2500);
});
