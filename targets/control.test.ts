import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame } from './testing/rawStream.ts';
import { openStreams } from './testing/openStreams.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('/__control', () => {
  it('restart: same port, memory gone, connections cut', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const stream = await client.call('countdown', { ticks: 100, intervalMs: 20 });
    const seen = await stream.readUntil(isMessageFrame);
    await target.control('restart');
    await expect(stream.readAll()).rejects.toThrow();
    expect((await client.get(seen.at(-1)?.id)).status).toBe(404);
    const next = await RawClient.connect(target.url);
    expect(next.sessionId).not.toBe(client.sessionId);
    expect(target.stats()).toMatchObject({ initializes: 2, calls: { countdown: 1 } });
  });

  it('restart: cuts a request that waits for a plain JSON answer', async () => {
    const target = await withTarget('json');
    const client = await RawClient.connect(target.url);
    const waiting = expect(client.call('countdown', { ticks: 100, intervalMs: 1000 })).rejects.toThrow();
    await eventually('the call runs', () => target.stats().calls['countdown'] === 1);
    await target.control('restart');
    await waiting;
  });

  it('drop-streams: a reset in the middle of a frame, and the session goes on', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const text = await readOverTcp(target.port, client, () => target.control('drop-streams'));
    expect(text).toMatch(/data: \{[^}]*\r\n$/);
    expect(text).not.toContain('\r\n0\r\n');
    const position = [...text.matchAll(/^id: (.*)$/gm)]
      .map(([, id]) => id)
      .find((id) => !id?.startsWith('never'));
    const rest = await (await client.get(position)).readAll();
    expect(rest.at(-1)?.message).toHaveProperty('result');
    expect(target.stats().calls).toEqual({ countdown: 1 });
  });

  it('expire-sessions: streams end, the session is unknown', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const stream = await client.get();
    await target.control('expire-sessions');
    await stream.readAll();
    expect((await client.post(PING)).status).toBe(404);
    expect(target.stats().sessions[0]).toMatchObject({ ended: 'expired', openStreams: 0 });
  });

  it('touch: whoever has subscribed hears of the counter', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const other = await RawClient.connect(target.url);
    const uri = 'reprise://counter';
    await client.request('resources/subscribe', { uri });
    const stream = await client.get();
    await target.control('touch');
    const heard = await stream.readUntil(isMessageFrame);
    expect(heard.at(-1)?.message).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri },
    });
    const read = await client.request('resources/read', { uri });
    expect(read).toMatchObject({ result: { contents: [{ text: 'Updated 1 times.' }] } });
    await client.request('resources/unsubscribe', { uri });
    await other.request('resources/subscribe', { uri });
    const others = await other.get();
    await target.control('touch');
    expect((await others.readUntil(isMessageFrame)).at(-1)?.message).toMatchObject({ params: { uri } });
    expect(await client.request('ping')).toHaveProperty('result');
  });

  it('reset: as if nothing had happened', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    await target.control('reset');
    expect(target.stats()).toEqual({ sessions: [], calls: {}, initializes: 0 });
    expect((await client.post(PING)).status).toBe(404);
  });

  it('is reached over HTTP, from a page too, and tells what was sent', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    await (await client.call('countdown', { ticks: 2, intervalMs: 1 }, { id: 'counted' })).readAll();
    const headers = { origin: 'http://localhost:5173' };
    const stats = await fetch(`${target.origin}/__control/stats`, { headers });
    expect(stats.headers.get('access-control-allow-origin')).toBe(headers.origin);
    expect(await stats.json()).toMatchObject({
      sessions: [
        { id: client.sessionId, calls: { countdown: 1 }, streams: { counted: { sent: 5, settled: true } } },
      ],
    });
    const expired = await fetch(`${target.origin}/__control/expire-sessions`, { method: 'POST', headers });
    expect(expired.status).toBe(200);
    expect((await client.post(PING)).status).toBe(404);
    expect((await fetch(`${target.origin}/__control/nonsense`, { method: 'POST' })).status).toBe(404);
  });

  it('has restarted when it says so', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const answer = await fetch(`${target.origin}/__control/restart`, { method: 'POST' });
    expect(await answer.json()).toEqual({ action: 'restart' });
    expect((await client.post(PING)).status).toBe(404);
  });

  it('counts the streams that are open', async () => {
    const target = await withTarget('resumable');
    const client = await RawClient.connect(target.url);
    const stream = await client.get();
    expect(openStreams(target)).toBe(1);
    await leaveNoticed(target, stream);
    expect(openStreams(target)).toBe(0);
  });
});

/** Calls countdown over a bare socket, and says what came before the end. How a reset shows depends on the system. */
async function readOverTcp(port: number, client: RawClient, afterFirstEvent: () => Promise<void>) {
  const params = { name: 'countdown', arguments: { ticks: 5, intervalMs: 50 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'tcp', method: 'tools/call', params });
  const headers = { ...client.headers, host: `127.0.0.1:${port}`, 'content-length': String(body.length) };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /mcp HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  let text = '';
  let isDropped = false;
  socket.on('data', (bytes) => {
    text += bytes.toString();
    if (isDropped || !text.includes('\nid: ')) return;
    isDropped = true;
    void afterFirstEvent();
  });
  socket.on('error', () => undefined);
  await eventually('the socket is closed', () => socket.closed);
  return text;
}
