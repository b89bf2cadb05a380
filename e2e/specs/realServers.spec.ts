/** What servers in the field get wrong: the result arrives wherever the server can give it, and every sentence is true. */
import { expect, range, test, type Inspector } from './inspector.ts';
import { Messages, test as odd } from './oddServer.ts';
import { openSection } from './sections.ts';

const TICKS = 24;
const COUNTDOWN = { ticks: TICKS, intervalMs: 150 };

const status = ({ page }: Inspector) => page.getByRole('status').first();

const states = async (inspector: Inspector) =>
  (await inspector.entries('kind:state')).map(
    (entry) => (entry as unknown as { state: { name: string } }).state.name,
  );

const announced = async (inspector: Inspector) =>
  (await inspector.entries('kind:received stream:standalone method:notifications/message')).length;

test(
  'deaf-get: a standalone stream that stays silent after a resume is opened anew, and that is told',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('deaf-get');
    await inspector.connect(server.url);
    // It takes a message to have an event ID to resume from.
    await server.control('announce');
    await expect.poll(() => announced(inspector)).toBe(1);
    await inspector.reload();
    await server.control('announce');
    await expect.poll(() => inspector.entries('kind:note deaf-stream'), { timeout: 30_000 }).toHaveLength(1);
    await expect
      .poll(async () => {
        await server.control('announce');
        return announced(inspector);
      })
      .toBeGreaterThan(1);
    await expect(status(inspector)).not.toContainText(/Nothing was missed|No events missed/);
  },
);

test(
  'cors-no-cursor: the call is given up in words, and the session stays usable',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('cors-no-cursor');
    const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
    const call = await inspector.untilEnded(id);
    expect(call).toMatchObject({ name: 'lost', reason: 'resume-blocked' });
    expect(call.why).toContain('Last-Event-ID in Access-Control-Allow-Headers');
    await inspector.page.waitForFunction(
      () => 'reprise' in window && window.reprise.state().name === 'connected',
    );
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }), 3);
    expect(server.stats().sessions).toHaveLength(1);
  },
);

test(
  'an ended session whose 404 has no CORS headers is replaced by a new one',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('resumable');
    await inspector.connect(server.url);
    await server.control('bare-errors');
    await server.control('expire-sessions');
    await inspector.reload();
    await inspector.page.waitForFunction(() => {
      const state = window.reprise.state();
      return state.name === 'connected' && state.how === 'restarted';
    });
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }), 3);
  },
);

for (const profile of ['get-404', 'get-400']) {
  for (const stateless of [false, true]) {
    const kind = stateless ? 'stateless' : 'with sessions';
    test(`${profile} ${kind}: no standalone stream, and never “Reconnecting”`, async ({
      inspector,
      target,
    }) => {
      const server = await target(profile, { overrides: { stateless } });
      await inspector.connect(server.url);
      await inspector.untilEnded(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }));
      expect(await states(inspector)).toEqual(['connecting', 'connected']);
      await inspector.reload();
      await inspector.page.waitForFunction(
        () => 'reprise' in window && window.reprise.state().name === 'connected',
      );
      const later = await states(inspector);
      // A reload is “reconnecting” once, and not again.
      expect(later.slice(2)).toEqual(['reconnecting', 'connected']);
      const gets = await inspector.entries('kind:http method:get');
      expect(gets.length, 'GETs of two page loads').toBeLessThanOrEqual(2);
    });
  }
}

test(
  'forgets: a few sessions, ever more slowly, and then the likely reason',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('forgets');
    // It may fail before the page has shown that it is connected.
    await inspector.page.evaluate((url) => window.reprise.connect(url), server.url);
    await inspector.page.waitForFunction(() => window.reprise.state().name === 'failed');
    const state = await inspector.state();
    expect(state).toMatchObject({
      why: expect.stringContaining('created a session and then rejected it'),
      fix: expect.stringContaining('Mcp-Session-Id'),
    });
    const sent = await inspector.entries('kind:sent method:initialize');
    const handshakes = sent.filter(({ message }) => (message as { method: string }).method === 'initialize');
    expect(handshakes).toHaveLength(6);
  },
);

test(
  'late-result: a result that comes on the standalone stream corrects what was guessed',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('late-result');
    const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
    expect(await inspector.callNamed(id)).toMatchObject({ name: 'lost' });
    await expect.poll(async () => (await inspector.callNamed(id)).name, { timeout: 30_000 }).toBe('settled');
    const call = await inspector.callNamed(id);
    expect(call).toMatchObject({ isLate: true, result: { structuredContent: { ticks: range(TICKS) } } });
    expect(call.why).toBeUndefined();
  },
);

test(
  'mixes-streams: the recovered number counts what was missed, once, and stands still',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('mixes-streams');
    const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
    const call = await inspector.untilEnded(id);
    expect(call).toMatchObject({ name: 'settled' });
    expect(await inspector.ticks(id)).toEqual(range(TICKS));
    const recovered = await inspector.page.evaluate(() => {
      const state = window.reprise.state();
      return state.name === 'connected' ? state.recovered : undefined;
    });
    // A stream that has its response is not asked for again, so nothing can add to the number.
    const asked = () => inspector.entries(`kind:http method:get call:${id}`);
    const before = (await asked()).length;
    for (let i = 0; i < 20; i += 1) await server.control('announce');
    await expect.poll(() => announced(inspector), { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
    expect((await asked()).length).toBe(before);
    const after = await inspector.callNamed(id);
    expect(after.received, 'messages credited to the finished call').toBe(call.received);
    expect(
      await inspector.page.evaluate(() => {
        const state = window.reprise.state();
        return state.name === 'connected' ? state.recovered : undefined;
      }),
    ).toBe(recovered);
  },
);

test('a head that comes with the first byte of the body does not hold a reload up', async ({
  inspector,
  target,
  faultProxy,
}) => {
  // As Firefox hands out responses: a silent stream looks as if it were still opening.
  const server = await target('late-head');
  const proxy = await faultProxy(server.url, { holdsHeads: true });
  await inspector.connect(`${proxy.origin}/mcp`);
  const id = await inspector.call('countdown', { ticks: 20, intervalMs: 100 });
  await inspector.untilReceived(id, 4);
  await inspector.stored();
  const startedAt = Date.now();
  await inspector.page.reload();
  await inspector.page.waitForFunction(
    () => 'reprise' in window && window.reprise.state().name === 'connected',
  );
  // The stream itself says nothing for 20 s.
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  await inspector.expectWhole(id, 20);
});

test('a dead server without a standalone stream is not “Connected”', async ({ inspector, target }) => {
  const server = await target('get-404');
  await inspector.connect(server.url);
  await server.close();
  await inspector.page.evaluate(() => window.reprise.call('countdown', { ticks: 1, intervalMs: 1 }));
  await inspector.page.waitForFunction(() => window.reprise.state().name === 'reconnecting');
  await expect(status(inspector)).toContainText('Reconnecting');
});

odd(
  'lists are read again after a return, and what changed is told by name and by content',
  async ({ inspector, odd: start }) => {
    const tool = (name: string, description: string) => ({
      name,
      description,
      inputSchema: { type: 'object' },
    });
    let tools = [tool('stays', 'old'), tool('goes', 'x')];
    const server = await start({ 'tools/list': () => ({ tools }) });
    await inspector.connect(server.url);
    tools = [tool('stays', 'new'), tool('comes', 'x')];
    await inspector.reload();
    await expect
      .poll(() =>
        inspector.entries('kind:note "Tools: comes added, goes removed, stays changed (description)"'),
      )
      .toHaveLength(1);
    await expect(inspector.page.getByRole('list', { name: 'Tools' })).toContainText('comes');
  },
);

const TOOL = { name: 'one', inputSchema: { type: 'object' } };

odd('tools are listed while another list is still being read', async ({ inspector, odd: start }) => {
  const server = await start({
    'tools/list': () => ({ tools: [TOOL] }),
    'resources/list': () => ({ resources: [] }),
    // A stream without a message.
    'resources/templates/list': () => new Messages(),
  });
  await inspector.page.evaluate((url) => void window.reprise.connect(url), server.url);
  await expect(inspector.page.getByRole('list', { name: 'Tools' })).toContainText('one');
  expect(server.asked.get('resources/templates/list')).toBe(1);
});

odd('a list that the server rejects is not called empty', async ({ inspector, odd: start }) => {
  const server = await start({
    'tools/list': () => ({ tools: [TOOL] }),
    'resources/list': () => {
      throw new Error('Not today.');
    },
    'resources/templates/list': () => ({ resourceTemplates: [] }),
  });
  await inspector.connect(server.url);
  await openSection(inspector.page, 'Resources');
  const main = inspector.page.getByRole('main');
  await expect(main).toContainText('The server rejected the list request (-32002): Not today.');
  await expect(inspector.page.getByRole('list', { name: 'Resources' })).not.toContainText('offers none');
  await expect(main).not.toContainText('This server has no resources.');
});
