import { expect, it } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { RawStream, type RawFrame } from './testing/rawStream.ts';
import { withTarget } from './testing/withTarget.ts';

const ORIGIN = { origin: 'http://localhost:4173' };

async function open(url: string) {
  const abort = new AbortController();
  const response = await fetch(url, { headers: ORIGIN, signal: abort.signal });
  const stream = new RawStream(response, abort);
  const endpoint = new URL((await stream.next())?.data ?? '', url);
  const post = (message: object) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ORIGIN },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  return { stream, response, post };
}

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const isAnswer =
  (id: number) =>
  ({ message }: RawFrame) =>
    message?.['id'] === id;

it('sse: one GET stream carries every message, POSTs go to the address that it names, the session ends with it', async () => {
  const target = await withTarget('sse');
  expect((await fetch(target.url, { method: 'POST', body: '{}' })).status).toBe(405);
  const { stream, response, post } = await open(`${target.origin}/sse`);
  expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN.origin);
  const accepted = await post(INITIALIZE);
  expect(accepted.status).toBe(202);
  expect(accepted.headers.get('access-control-allow-origin')).toBe(ORIGIN.origin);
  await stream.readUntil(isAnswer(0));
  await post({ method: 'notifications/initialized' });
  const params = {
    name: 'countdown',
    arguments: { ticks: 2, intervalMs: 1 },
    _meta: { progressToken: 'p' },
  };
  await post({ id: 1, method: 'tools/call', params });
  const frames = await stream.readUntil(isAnswer(1));
  expect(frames).toHaveLength(5);
  expect(frames.every(({ id }) => id === undefined)).toBe(true);
  expect(target.stats().calls).toEqual({ countdown: 1 });

  await target.control('expire-sessions');
  expect(await stream.next()).toBeUndefined();
  await eventually('the session is gone', async () => (await post({ id: 2, method: 'ping' })).status === 404);
});

it('sse: is Streamable HTTP once it was brought up to date', async () => {
  const target = await withTarget('sse');
  const { stream } = await open(target.url);
  await target.control('era-session');
  await stream.next().catch(() => undefined);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE });
  const response = await fetch(target.url, { method: 'POST', headers, body });
  expect(response.headers.get('mcp-session-id')).not.toBeNull();
  await response.body?.cancel();
});
