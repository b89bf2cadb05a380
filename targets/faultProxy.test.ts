import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultProxy } from './faultProxy.ts';
import { RawClient } from './testing/rawClient.ts';
import { isMessageFrame, type RawFrame, type RawStream } from './testing/rawStream.ts';
import { leaveNoticed, withTarget } from './testing/withTarget.ts';

async function proxied() {
  const target = await withTarget('resumable');
  const proxy = await startFaultProxy(target.url);
  onTestFinished(() => proxy.close());
  const client = await RawClient.connect(target.url);
  const behind = new RawClient(`${proxy.origin}/mcp`, { headers: { connection: 'close' } });
  behind.sessionId = client.sessionId;
  const call = () => behind.call('countdown', { ticks: 3, intervalMs: 10 });
  return { proxy, client, behind, call };
}

/** The whole frames that arrive before a stream breaks. */
async function readWhatComes(stream: RawStream): Promise<RawFrame[]> {
  const frames: RawFrame[] = [];
  try {
    for (let frame = await stream.next(); frame; frame = await stream.next()) frames.push(frame);
  } catch {
    // The cut.
  }
  return frames;
}

/** 409 says that the server has not noticed the cut yet. */
async function resumeWhenFree(client: RawClient, position: string): Promise<RawFrame[]> {
  for (;;) {
    const stream = await client.get(position);
    const frames = await stream.readAll();
    if (stream.status !== 409) return frames;
  }
}

describe('the fault proxy', () => {
  it('passes everything on when nothing is injected', async () => {
    const { call, proxy } = await proxied();
    expect(await (await call()).readAll()).toHaveLength(8);
    expect(proxy.connections).toBe(1);
  });

  it('cuts after a given byte, and a resume past it loses nothing', async () => {
    const { call, proxy, behind } = await proxied();
    proxy.inject({ kind: 'cut', atByte: 700 });
    const stream = await call();
    const seen = [await stream.next()];
    await expect(stream.readAll()).rejects.toThrow();
    const rest = await (await behind.get(seen[0]?.id)).readAll();
    expect(rest).toHaveLength(7);
  });

  it('proves the target: cut anywhere, a call that has named a position is whole after a resume', async () => {
    const { proxy, client, behind } = await proxied();
    let resumed = 0;
    for (let atByte = 350; atByte < 2200; atByte += 61) {
      proxy.inject({ kind: 'cut', atByte });
      const stream = await behind.call('countdown', { ticks: 5, intervalMs: 2 }).catch(() => undefined);
      const seen = stream ? await readWhatComes(stream) : [];
      const position = seen.findLast(({ id }) => id !== undefined)?.id;
      if (position === undefined) continue;
      resumed += 1;
      const rest = await resumeWhenFree(client, position);
      const ids = [...seen, ...rest].filter(isMessageFrame).map(({ id }) => id);
      expect(ids, `cut at ${atByte}`).toHaveLength(11);
      expect(new Set(ids).size, `cut at ${atByte}`).toBe(11);
    }
    expect(resumed).toBeGreaterThan(10);
  });

  it('delays from a given byte on', async () => {
    const { call, proxy } = await proxied();
    proxy.inject({ kind: 'delay', atByte: 600, delayMs: 200 });
    const startedAt = Date.now();
    expect(await (await call()).readAll()).toHaveLength(8);
    expect(Date.now() - startedAt).toBeGreaterThan(200);
  });

  it('splits into pieces of a given size, in the middle of frames', async () => {
    const { call, proxy } = await proxied();
    proxy.inject({ kind: 'split', atByte: 0, size: 7 });
    expect(await (await call()).readAll()).toHaveLength(8);
  });

  it('stalls after a given byte with the connection open', async () => {
    const { call, proxy } = await proxied();
    proxy.inject({ kind: 'stall', atByte: 600 });
    const stream = await call();
    const stalled = new Promise((resolve) => setTimeout(resolve, 300, 'stalled'));
    expect(await Promise.race([stream.readAll(), stalled])).toBe('stalled');
    stream.leave();
  });

  it('holds the head of a silent stream back until its first byte, if it is told to', async () => {
    const target = await withTarget('no-priming');
    const client = await RawClient.connect(target.url);
    const behind = async (holdsHeads: boolean) => {
      const proxy = await startFaultProxy(target.url, { holdsHeads });
      onTestFinished(() => proxy.close());
      const one = new RawClient(`${proxy.origin}/mcp`);
      one.sessionId = client.sessionId;
      return one;
    };
    const plain = await (await behind(false)).get();
    expect(plain.status).toBe(200);
    await leaveNoticed(target, plain);
    const opening = (await behind(true)).get();
    const held = new Promise((resolve) => setTimeout(resolve, 300, 'held'));
    expect(await Promise.race([opening, held])).toBe('held');
    await target.control('announce');
    expect((await (await opening).next())?.message).toMatchObject({ method: 'notifications/message' });
    (await opening).leave();
  });

  it('passes everything else on as it is while it holds heads, on connections that are used again', async () => {
    const target = await withTarget('resumable');
    const proxy = await startFaultProxy(target.url, { holdsHeads: true });
    onTestFinished(() => proxy.close());
    const behind = await RawClient.connect(`${proxy.origin}/mcp`);
    const preflight = { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } };
    for (let round = 0; round < 3; round += 1) {
      expect((await fetch(behind.url, preflight)).status).toBe(204);
      const note = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
      expect((await behind.post(note)).status).toBe(202);
      expect((await behind.get('unknown.1')).status).toBe(400);
      const frames = await (await behind.call('countdown', { ticks: 3, intervalMs: 10 })).readAll();
      expect(frames).toHaveLength(8);
    }
    expect(proxy.connections).toBeLessThan(10);
    expect((await behind.delete()).status).toBe(200);
  });

  it('refuses connections for a while', async () => {
    const { behind, proxy } = await proxied();
    const accept = await proxy.refuse();
    await expect(behind.request('ping')).rejects.toThrow();
    await accept();
    expect(await behind.request('ping')).toHaveProperty('result');
  });

  it('cuts every open connection on demand', async () => {
    const { behind, proxy } = await proxied();
    const stream = await behind.get();
    proxy.cutAll();
    await expect(stream.readAll()).rejects.toThrow();
  });

  it('cuts every other open connection on demand', async () => {
    const { behind, proxy } = await proxied();
    const calls = await Promise.all([1, 2].map(() => behind.call('countdown', { ticks: 5, intervalMs: 20 })));
    proxy.cutHalf();
    const ends = await Promise.allSettled(calls.map((stream) => stream.readAll()));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('spoils connections that are open, until it is told to stop', async () => {
    const { behind, proxy } = await proxied();
    const stream = await behind.call('countdown', { ticks: 5, intervalMs: 20 });
    await stream.next();
    proxy.spoilOpen({ kind: 'split', atByte: 0, size: 1 });
    await stream.next();
    proxy.spoilOpen(undefined);
    expect(await stream.readAll()).not.toHaveLength(0);
    const torn = await behind.call('countdown', { ticks: 5, intervalMs: 20 });
    proxy.spoilOpen({ kind: 'cut', atByte: 5 });
    await expect(torn.readAll()).rejects.toThrow();
  });

  it('cuts in the middle of a character', async () => {
    const received: Buffer[] = [];
    // It's reset too, as a server is whose client is gone.
    const server = createServer((socket) => void socket.on('error', () => undefined).end('abc é def'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const proxy = await startFaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => proxy.close());
    proxy.inject({ kind: 'cut-character', atByte: 0 });
    const client = connect(proxy.port, '127.0.0.1');
    client.on('data', (chunk: Buffer) => received.push(chunk));
    client.on('error', () => undefined);
    await new Promise((resolve) => client.once('close', resolve));
    expect(Buffer.concat(received)).toEqual(Buffer.from('abc é').subarray(0, 5));
  });

  it('gives the server its own address as host, if it is told to', async () => {
    const heads: string[] = [];
    const server = createHttpServer((request, response) => {
      heads.push(request.headers.host ?? '');
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const proxy = await startFaultProxy(`http://127.0.0.1:${port}`, { replacesHost: true });
    onTestFinished(() => proxy.close());
    await fetch(proxy.origin);
    expect(heads).toEqual([`127.0.0.1:${port}`]);
  });
});
