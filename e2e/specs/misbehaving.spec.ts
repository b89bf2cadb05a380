/** Servers as they are: each misbehaviour is survived, or told in plain words. */
import { holdFromNextGet } from '../../targets/profiles/slow409.ts';
import { expect, range, test } from './inspector.ts';

const TICKS = 24;
const COUNTDOWN = { ticks: TICKS, intervalMs: 150 };

for (const profile of ['slow-409', 'stays-open', 'polling', 'recreate', 'no-priming', 'leaky']) {
  test(`${profile}: a call comes back whole`, { tag: '@long' }, async ({ inspector, target }) => {
    const server = await target(profile);
    const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
    const call = await inspector.expectWhole(id, TICKS);
    expect(call.duplicates).toBe(0);
  });
}

test('stays-open: a stream ends with its response, so that its place is free for the next', async ({
  inspector,
  target,
}) => {
  const server = await target('stays-open');
  await inspector.connect(server.url);
  const ids = await Promise.all(
    range(8).map(() => inspector.call('countdown', { ticks: 10, intervalMs: 250 })),
  );
  for (const id of ids) await inspector.untilReceived(id, 2);
  await inspector.reload();
  for (const id of ids) await inspector.expectWhole(id, 10);
  // Only the standalone stream is left, long before silence would have ended the others.
  await expect.poll(() => server.stats().sessions[0]?.openStreams, { timeout: 4500 }).toBe(1);
});

test('slow-409: the wait is told, with its reason', async ({ inspector, target }) => {
  const server = await target('slow-409', { overrides: holdFromNextGet() });
  await inspector.reloadMidCall(server.url, COUNTDOWN);
  await inspector.page.waitForFunction(() => window.reprise.state().name === 'connected');
  // By then it has been told: a page that is slow to look finds it in the log.
  const held = await inspector.entries('kind:state "The server still holds the previous stream (HTTP 409)."');
  expect(held).not.toEqual([]);
});

test('over-replay: what comes again is dropped and counted', async ({ inspector, target }) => {
  const server = await target('over-replay');
  const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
  const call = await inspector.untilEnded(id);
  expect(call).toMatchObject({ name: 'settled' });
  expect(await inspector.ticks(id)).toEqual(range(TICKS));
  expect(call.duplicates).toBeGreaterThan(5);
  // Each log message is there once too; which stream brought it first is the server's disorder.
  const logged = await inspector.entries('kind:received method:notifications/message');
  expect(logged).toHaveLength(TICKS);
});

test(
  'over-replay: two reloads, three calls, every tick once',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('over-replay');
    await inspector.connect(server.url);
    const calls = await Promise.all([1, 2, 3].map(() => inspector.call('countdown', COUNTDOWN)));
    for (const id of calls) await inspector.untilReceived(id, 4);
    await inspector.reload();
    for (const id of calls) await inspector.untilReceived(id, 8);
    await inspector.reload();
    for (const id of calls) {
      expect(await inspector.untilEnded(id)).toMatchObject({ name: 'settled' });
      expect(await inspector.ticks(id)).toEqual(range(TICKS));
    }
    const ids = (await inspector.entries('kind:received')).map(({ eventId }) => eventId);
    expect(new Set(ids).size, 'event ids, of whatever stream').toBe(ids.length);
  },
);

test(
  'stalls: a resumed stream that falls silent is asked again',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('stalls');
    const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
    await inspector.expectWhole(id, TICKS);
    const asked = await inspector.entries(`kind:http method:get call:${id} status:200`);
    expect(asked.length).toBeGreaterThanOrEqual(2);
  },
);

test('progress-on-get: progress finds its call by its token', async ({ inspector, target }) => {
  const server = await target('progress-on-get');
  const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
  // Two streams have no order: the last progress may come after the result.
  await expect.poll(() => inspector.ticks(id)).toHaveLength(TICKS);
  await inspector.expectWhole(id, TICKS);
  const progress = await inspector.entries(`method:progress stream:standalone call:${id}`);
  expect(progress).toHaveLength(TICKS);
});

test(
  'pings: the session lives, because the new page answers at once',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('pings');
    await inspector.connect(server.url);
    const id = await inspector.call('countdown', { ticks: 30, intervalMs: 200 });
    await inspector.untilReceived(id, 6);
    await inspector.reload();
    await inspector.untilReceived(id, 24);
    await inspector.reload();
    await inspector.expectWhole(id, 30);
    expect(await inspector.state()).toMatchObject({ how: 'resumed' });
  },
);

test('get-once: the session stays usable, the call that cannot be followed is told', async ({
  inspector,
  target,
}) => {
  const server = await target('get-once');
  const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
  const call = await inspector.untilEnded(id);
  expect(call.name).toBe('lost');
  expect(call.why).toContain('may still be running, but its result can’t be retrieved');
  await inspector.page.waitForFunction(() => window.reprise.state().name === 'connected');
  expect(await inspector.state()).toMatchObject({ how: 'resumed' });
  const fresh = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
  await inspector.expectWhole(fresh, 3);
  expect(server.stats().sessions).toHaveLength(1);
});

test('no-replay: an honest word, and no tool is run again', async ({ inspector, target }) => {
  const server = await target('no-replay');
  const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
  expect(await inspector.callNamed(id)).toMatchObject({
    name: 'lost',
    why: 'This server doesn’t send event IDs, so this call can’t be resumed. It may still be running, but its result can’t be retrieved.',
  });
  const fresh = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
  await inspector.expectWhole(fresh, 3);
  expect(startedCalls(server.stats())).toBe(2);
});

for (const profile of ['stateless', 'json']) {
  test(`${profile}: whether the call ran is not known, and the page says so`, async ({
    inspector,
    target,
  }) => {
    const server = await target(profile);
    await inspector.connect(server.url);
    const id = await inspector.call('countdown', COUNTDOWN);
    await expect.poll(() => startedCalls(server.stats())).toBe(1);
    await inspector.reload();
    const call = await inspector.callNamed(id);
    expect(call.name).toBe('unknown');
    expect(call.why).toMatch(/The tool may have run. Check before calling it again./);
    await inspector.page.waitForFunction(() => window.reprise.state().name === 'connected');
    const fresh = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
    expect(await inspector.untilEnded(fresh)).toMatchObject({ name: 'settled' });
    expect(startedCalls(server.stats())).toBe(2);
  });
}

test('no-priming: a reload before the first event leaves the call unknown', async ({ inspector, target }) => {
  const server = await target('no-priming');
  await inspector.connect(server.url);
  const id = await inspector.call('countdown', { ticks: 2, intervalMs: 3000 });
  await inspector.page.waitForFunction(() => window.reprise.calls().every(({ name }) => name === 'open'));
  await inspector.reload();
  expect(await inspector.callNamed(id)).toMatchObject({ name: 'unknown' });
  expect((await inspector.callNamed(id)).why).toContain('before the server sent an event ID');
});

for (const profile of ['fresh-404', 'bad-400']) {
  test(`${profile}: a forgotten session is replaced by a new handshake`, async ({ inspector, target }) => {
    const server = await target(profile);
    await inspector.connect(server.url);
    const id = await inspector.call('countdown', COUNTDOWN);
    await inspector.untilReceived(id, 4);
    await server.control('expire-sessions');
    await inspector.reload();
    await inspector.page.waitForFunction(() => {
      const state = window.reprise.state();
      return state.name === 'connected' && state.how === 'restarted';
    });
    expect(await inspector.callNamed(id)).toMatchObject({ name: 'lost' });
    const fresh = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
    await inspector.expectWhole(fresh, 3);
  });
}

test(
  'underscore: event IDs of the standalone stream that the server can’t resolve cost the call nothing',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('underscore');
    const id = await inspector.reloadMidCall(server.url, COUNTDOWN);
    expect((await inspector.expectWhole(id, TICKS)).replayed).toBeGreaterThan(0);
    expect(startedCalls(server.stats())).toBe(1);
    await inspector.page.waitForFunction(() => window.reprise.state().name === 'connected');
  },
);

test('hidden-session and no-cors: says which header is missing, and tells "blocked" from "unreachable"', async ({
  inspector,
  target,
}) => {
  const connectTo = async (profile: string) => {
    const { url } = await target(profile);
    return inspector.page.evaluate((one) => window.reprise.connect(one), url);
  };
  expect(await connectTo('hidden-session')).toMatchObject({
    name: 'failed',
    fix: expect.stringContaining('Access-Control-Expose-Headers: Mcp-Session-Id'),
  });
  expect(await connectTo('no-cors')).toMatchObject({
    name: 'failed',
    why: expect.stringContaining('CORS'),
    fix: expect.stringContaining('Access-Control-Allow-Origin'),
  });
});

function startedCalls(stats: { sessions: readonly { calls: Readonly<Record<string, number>> }[] }): number {
  return stats.sessions.reduce((sum, { calls }) => sum + (calls['countdown'] ?? 0), 0);
}
