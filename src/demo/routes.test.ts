import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTarget, type Target } from '../../targets/core/target.ts';
import { answerDemo } from './routes.ts';
import { untilIdle } from './untilIdle.ts';

const BASE = 'https://host.example/some/folder/demo/';
let target: Target;
let modern: Target;

beforeEach(() => {
  target = createTarget(() => ({ name: 'demo' }));
  modern = createTarget(() => ({ name: 'demo-modern', era: 'stateless' }));
});
afterEach(() => Promise.all([target.close(), modern.close()]));

const answer = (address: string, init?: RequestInit) =>
  answerDemo(new Request(address, init), BASE, { mcp: target, modern });

describe('leaves to the network', () => {
  test.each([
    'https://host.example/some/folder/',
    'https://host.example/some/folder/assets/demo/mcp',
    'https://host.example/demo/mcp',
    'https://other.example/some/folder/demo/mcp',
  ])('%s', (address) => {
    expect(answer(address)).toBeUndefined();
  });
});

test('hands the endpoint to the target, with or without a query', async () => {
  // A POST that is no JSON: the target's own answer.
  expect((await answer(`${BASE}mcp`, { method: 'POST', body: '?' }))?.status).toBe(400);
  expect((await answer(`${BASE}mcp?a=1`, { method: 'POST', body: '?' }))?.status).toBe(400);
});

test('says where the demo is to whoever asks beside it', async () => {
  const response = await answer(`${BASE}other`);
  expect(response?.status).toBe(404);
  expect(await response?.json()).toEqual({
    error: 'The demo is at demo/mcp and demo/modern (2026-07-28).',
  });
});

test('has a twin of 2026-07-28, with controls of its own', async () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const refused = await answer(`${BASE}modern`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(initialize),
  });
  expect(await refused?.json()).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } });
  await answer(`${BASE}modern/__control/era-session`, { method: 'POST' });
  expect((await answer(`${BASE}modern`, { method: 'GET' }))?.status).toBe(400);
  expect(await (await answer(`${BASE}modern/__control/stats`))?.json()).toMatchObject({ calls: {} });
});

test('runs a request of a session once, however often it is sent', async () => {
  const post = (message: object, headers: Record<string, string> = {}) =>
    answer(`${BASE}mcp`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await post({ id: 1, method: 'initialize', params });
  const session = { 'mcp-session-id': opened?.headers.get('mcp-session-id') ?? '' };
  const call = (ticks: number) => {
    const args = { name: 'countdown', arguments: { ticks, intervalMs: 10 } };
    return post({ id: 2, method: 'tools/call', params: args }, session);
  };
  const [first, second] = await Promise.all([call(3), call(3)]);
  const text = await first?.text();
  expect(text).toContain('"ticks":[1,2,3]');
  expect(await second?.text()).toBe(text);
  expect((await call(4))?.status).toBe(400);
  expect(target.stats.toJSON().calls).toEqual({ countdown: 1 });
});

describe('controls', () => {
  test('carries out an action and says so', async () => {
    const response = await answer(`${BASE}__control/restart`, { method: 'POST' });
    expect(await response?.json()).toEqual({ action: 'restart' });
  });

  test('gives its counts', async () => {
    expect(await (await answer(`${BASE}__control/stats`))?.json()).toMatchObject({ calls: {} });
  });

  test.each([
    ['GET', 'restart'],
    ['POST', 'explode'],
  ])('%s %s is refused with the list of what there is', async (method, action) => {
    const response = await answer(`${BASE}__control/${action}`, { method });
    expect(response?.status).toBe(404);
    expect(await response?.text()).toContain('restart, drop-streams, expire-sessions, reset');
  });
});

describe('the worker stays awake', () => {
  const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const post = (message: object, headers: Record<string, string> = {}) =>
    answer(`${BASE}mcp`, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });

  async function startCountdown(ms: number) {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const session =
      (await post({ id: 1, method: 'initialize', params }))?.headers.get('mcp-session-id') ?? '';
    const call = { name: 'countdown', arguments: { ticks: 1, intervalMs: ms } };
    const response = await post({ id: 2, method: 'tools/call', params: call }, { 'mcp-session-id': session });
    // The page goes away; the tool does not.
    await response?.body?.cancel();
  }

  const elapsed = async (work: Promise<void>) => {
    const startedAt = performance.now();
    await work;
    return performance.now() - startedAt;
  };

  test('no longer than needed', async () => {
    expect(await elapsed(untilIdle([target, modern], 5_000))).toBeLessThan(2_500);
  });

  test('until the tool ends, although the page is gone', async () => {
    await startCountdown(400);
    expect(await elapsed(untilIdle([target, modern], 5_000))).toBeGreaterThan(300);
  });

  test('up to its limit', async () => {
    await startCountdown(3_000);
    expect(await elapsed(untilIdle([target, modern], 300))).toBeLessThan(2_500);
  });
});
