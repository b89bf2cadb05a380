import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultProxy } from './faultProxy.ts';
import { RawClient } from './testing/rawClient.ts';
import { withTarget } from './testing/withTarget.ts';

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
});
