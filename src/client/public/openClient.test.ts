import { describe, expect, it, onTestFinished } from 'vitest';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import type { Call, OpenOptions, RepriseClient } from './index.ts';
import { ClientError, inspect, manualClock, memoryStore, openClient } from './index.ts';

const clientInfo = { name: 'my-app', version: '1.2.3' };

async function open(options: Pick<OpenOptions, 'url'> & Partial<OpenOptions>): Promise<RepriseClient> {
  const client = await openClient({ clientInfo, store: memoryStore(), ...options });
  onTestFinished(() => client.close());
  return client;
}

const until = (call: Pick<Call, 'subscribe'>, isReached: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (isReached()) resolve();
    const stop = call.subscribe(() => {
      if (!isReached()) return;
      stop();
      resolve();
    });
  });

const runsOf = (stats: { sessions: readonly { calls: Record<string, number> }[] }, tool: string): number =>
  stats.sessions.reduce((sum, { calls }) => sum + (calls[tool] ?? 0), 0);

describe('a call', () => {
  it('gets its result in the page that is open by then, with each message once, and runs once', async () => {
    const target = await withTarget('resumable');
    const options = { url: target.url, clientInfo, store: memoryStore() };
    const first = await openClient(options);
    const args = { ticks: 12, intervalMs: 200 };
    const call = await first.call('countdown', args, { key: 'count' });
    await until(call, () => (call.progress?.progress ?? 0) >= 2);
    await first.close();
    await expect(call.result).rejects.toMatchObject({ name: 'ClientError', code: 'closed' });

    const second = await open(options);
    expect(second.state.name).toBe('reconnecting');
    expect(second.server?.info.name).toBeDefined();
    const [again] = second.calls({ open: true });
    expect(again).toMatchObject({ id: call.id, key: 'count', tool: 'countdown', args });
    expect(second.find('count')).toBe(again);
    const outcome = await again?.result;
    expect(outcome).toMatchObject({
      name: 'settled',
      ok: true,
      result: { structuredContent: { ticks: { length: 12 } } },
    });
    const ticks: number[] = [];
    for await (const { method, params } of again?.messages() ?? []) {
      if (method === 'notifications/progress') ticks.push(params.progress);
    }
    expect(ticks).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(second.state).toMatchObject({ name: 'connected', how: 'resumed' });
    expect(second.server?.resumable).toBe('yes');
    expect(runsOf(target.stats(), 'countdown')).toBe(1);

    await second.close();
    const third = await open(options);
    expect(third.find('count')?.state).toEqual(outcome);
    expect(await third.find('count')?.result).toEqual(outcome);
    await third.find('count')?.forget();
    expect(third.find('count')).toBeUndefined();
    await third.close();
    expect((await open(options)).calls()).toEqual([]);
  });

  it('is joined by its key while it is open, and refused with other arguments', async () => {
    const target = await withTarget('resumable');
    const client = await open({ url: target.url });
    const args = { ticks: 3, intervalMs: 300 };
    const [one, two] = await Promise.all([
      client.call('countdown', args, { key: 'k' }),
      client.call('countdown', { intervalMs: 300, ticks: 3 }, { key: 'k' }),
    ]);
    expect(two).toBe(one);
    await expect(client.call('countdown', { ticks: 4 }, { key: 'k' })).rejects.toMatchObject({
      code: 'key-in-use',
    });
    await expect(one.forget()).rejects.toMatchObject({ code: 'call-open' });
    await one.result;
    const next = await client.call('countdown', args, { key: 'k' });
    expect(next).not.toBe(one);
    expect(client.find('k')).toBe(next);
    await next.result;
    expect(runsOf(target.stats(), 'countdown')).toBe(2);
  });

  it.each([
    ['fail', { message: 'Failed on purpose after 0 ms' }],
    ['crash', { message: expect.stringContaining('Crashed on purpose'), code: -32050, data: { afterMs: 0 } }],
  ])('of the tool %s is settled, and not ok', async (tool, error) => {
    const { url } = await withTarget('resumable');
    const client = await open({ url });
    expect(await (await client.call(tool)).result).toMatchObject({ name: 'settled', ok: false, error });
  });

  it('is cancelled by the app, by its signal and by its time limit', async () => {
    const { url } = await withTarget('resumable');
    const client = await open({ url });
    const long = { ticks: 100, intervalMs: 1000 };
    const abort = new AbortController();
    const calls = await Promise.all([
      client.call('countdown', long),
      client.call('countdown', long, { signal: abort.signal }),
      client.call('countdown', long, { timeoutMs: 50 }),
    ]);
    await calls[0].cancel();
    abort.abort();
    const outcomes = await Promise.all(calls.map(({ result }) => result));
    expect(outcomes).toMatchObject(
      ['app', 'app', 'timeout'].map((reason) => ({ name: 'cancelled', reason })),
    );
  });

  it('is lost with the reason where the server can’t replay', async () => {
    const { url } = await withTarget('no-replay');
    const options = { url, clientInfo, store: memoryStore() };
    const first = await openClient(options);
    const call = await first.call('countdown', { ticks: 40, intervalMs: 100 });
    await until(call, () => (call.progress?.progress ?? 0) >= 1);
    await first.close();
    const [again] = (await open(options)).calls();
    expect(await again?.result).toMatchObject({ name: 'lost', reason: 'no-replay', safeToRetry: true });
  });
});

it('a test with a clock of its own goes as docs/client.md shows it', async () => {
  const { url } = await withTarget('resumable');
  const clock = manualClock();
  const options = { url, clientInfo, store: memoryStore(), clock };
  const before = await openClient(options);
  const args = { ticks: 5, intervalMs: 30 };
  const call = await before.call('countdown', args, { key: 'report', timeoutMs: 5000 });
  const stuck = await before.call(
    'countdown',
    { ticks: 100, intervalMs: 1000 },
    { key: 'stuck', timeoutMs: 5000 },
  );
  await until(before, () => [call, stuck].every(({ progress }) => progress !== undefined));
  await before.close();
  await using after = await openClient(options);
  await clock.advance(1000);
  // A resume that the server refuses for a moment is tried again on this clock, whenever its answer comes.
  const settled = async (key: string) => {
    let isOver = false;
    const result = after.find(key)?.result.finally(() => (isOver = true));
    while (!isOver) await Promise.all([clock.advance(10), new Promise((resolve) => setTimeout(resolve, 10))]);
    return result;
  };
  expect((await settled('report'))?.name).toBe('settled');
  expect(after.find('stuck')).toMatchObject({ id: stuck.id, state: { name: 'open' } });
  await clock.advance(4000);
  expect(await settled('stuck')).toMatchObject({ name: 'cancelled', reason: 'timeout' });
});

describe('the connection', () => {
  it('says who the app is, and offers only what the app can show', async () => {
    const { url } = await withTarget('resumable');
    const bodies: string[] = [];
    const client = await open({
      url,
      questions: ['sampling'],
      fetch: (input, init) => {
        if (typeof init?.body === 'string') bodies.push(init.body);
        return fetch(input, init);
      },
    });
    await client.connect();
    const sent = bodies.map((body) => JSON.parse(body) as { method?: string; params?: object });
    const initialize = sent.find(({ method }) => method === 'initialize');
    expect(initialize?.params).toMatchObject({ clientInfo, capabilities: { sampling: {} } });
    expect(JSON.stringify(initialize)).not.toMatch(/elicitation|roots/);
  });

  it('fails as a state, with what to do, and works once the server is there', async () => {
    const target = await withTarget('resumable');
    await target.close();
    const client = await open({ url: target.url });
    expect(client.state).toEqual({ name: 'connecting' });
    expect(await client.connect()).toMatchObject({ name: 'failed', reason: 'unreachable' });
    await expect(client.call('countdown')).rejects.toMatchObject({ code: 'not-connected' });
  });

  it('is left by close and ended by disconnect', async () => {
    const target = await withTarget('resumable');
    const client = await open({ url: target.url });
    const call = await client.call('countdown', { ticks: 100, intervalMs: 1000 }, { key: 'k' });
    await client.disconnect();
    expect(await call.result).toMatchObject({ name: 'lost', reason: 'disconnected' });
    expect(client.state.name).toBe('disconnected');
    expect(target.stats().sessions.map(({ deletes }) => deletes)).toEqual([1]);
    expect(await client.connect()).toMatchObject({ name: 'connected', how: 'fresh' });
    await client.disconnect({ forget: true });
    expect(client.state.name).toBe('disconnected');
    expect(await client.connect()).toMatchObject({ name: 'connected' });
    expect(client.find('k')).toBeUndefined();
    await client.close();
    await client.close();
    expect(client.state).toEqual({ name: 'closed', reason: 'closed' });
    await expect(client.call('countdown')).rejects.toBeInstanceOf(ClientError);
  });

  it('is shared by two clients of one page with one store', async () => {
    const target = await withTarget('resumable');
    const store = memoryStore();
    const one = await open({ url: target.url, store });
    await one.connect();
    const two = await open({ url: target.url, store });
    const call = await two.call('countdown', { ticks: 3, intervalMs: 20 });
    expect(await call.result).toMatchObject({ name: 'settled', ok: true });
    expect(one.calls()[0]?.id).toBe(call.id);
    expect([inspect(one).tab, inspect(two).tab]).toEqual(['leading', 'following']);
    expect(target.stats().sessions).toHaveLength(1);
    await one.close();
    expect(await (await two.call('countdown', { ticks: 1, intervalMs: 1 })).result).toMatchObject({
      ok: true,
    });
    expect(inspect(two).tab).toBe('leading');
  });

  it('needs a login where the app can log in, and has failed where it can’t', async () => {
    const { url } = await withTarget('oauth');
    const client = await open({ url, oauth: {} });
    expect(await client.connect()).toMatchObject({ name: 'needs-login' });
    await expect(client.call('countdown')).rejects.toMatchObject({ code: 'not-connected' });
    expect(await (await open({ url })).connect()).toMatchObject({ name: 'failed', reason: 'unauthorized' });
  });

  it('asks the app for its token, and for another one after a 401', async () => {
    const { url } = await withTarget('resumable');
    const seen: (string | null)[] = [];
    const client = await open({
      url,
      bearer: (refused) => (refused === undefined ? 'old-token-123' : 'new-token-456'),
      fetch: (input, init) => {
        const token = new Headers(init?.headers).get('authorization');
        seen.push(token);
        return token === 'Bearer old-token-123'
          ? Promise.resolve(new Response('', { status: 401 }))
          : fetch(input, init);
      },
    });
    expect(await client.connect()).toMatchObject({ name: 'connected' });
    expect(seen).toContain('Bearer new-token-456');
    expect(await inspect(client).exportLog()).not.toMatch(/(old|new)-token/);
  });
});

describe('questions', () => {
  it('wait across a reload, and are answered or declined', async () => {
    const { url } = await withTarget('resumable');
    const options: OpenOptions = {
      url,
      clientInfo,
      store: memoryStore(),
      questions: ['elicitation', 'sampling'],
    };
    const first = await openClient(options);
    const asked = new Promise((resolve) => first.on('question', resolve));
    const call = await first.call('ask', {}, { key: 'ask' });
    expect(await asked).toMatchObject({ method: 'elicitation/create', callId: call.id });
    expect(call.state).toEqual({ name: 'needs-input' });
    await first.close();

    const second = await open(options);
    const [question] = second.questions();
    if (question?.method !== 'elicitation/create') throw new Error('There is no elicitation.');
    await second.answer(question, { action: 'accept', content: { answer: 'Ada' } });
    expect(await second.find('ask')?.result).toMatchObject({
      ok: true,
      result: { content: [{ text: 'accept: Ada' }] },
    });
    await expect(second.answer(question.id, { action: 'decline' })).rejects.toMatchObject({
      code: 'no-such-question',
    });

    const sampled = new Promise<{ id: string }>((resolve) => second.on('question', resolve));
    const sampling = await second.call('sample');
    await second.decline((await sampled).id, 'Not today.');
    expect((await sampling.result).name).toBe('settled');
  });
});

describe('lists and requests', () => {
  it('are read from the server, and fail with its JSON-RPC error', async () => {
    const { url } = await withTarget('resumable');
    const client = await open({ url });
    expect((await client.tools()).map(({ name }) => name)).toContain('countdown');
    const [resource] = await client.resources();
    expect(await client.readResource(resource?.uri ?? '')).toHaveProperty('contents');
    expect(await client.request('ping')).toEqual({});
    await expect(client.readResource('nowhere:/')).rejects.toMatchObject({
      code: 'rpc',
      rpc: { code: expect.any(Number) },
    });
    await expect(client.request('tools/call', {})).rejects.toBeInstanceOf(TypeError);
    const aborted = AbortSignal.abort(new Error('mine'));
    await expect(client.tools({ signal: aborted })).rejects.toThrow('mine');
  });
});

describe('options', () => {
  it.each([
    ['url', { url: 'ftp://a.example/' }],
    ['clientInfo', { clientInfo: { name: 'x' } }],
    ['store', { store: undefined }],
  ])('without a usable %s are a TypeError', async (name, wrong) => {
    const options = { url: 'http://a.example/', clientInfo, store: memoryStore(), ...wrong };
    await expect(openClient(options as OpenOptions)).rejects.toThrow(new RegExp(`^${name}`));
  });
});
