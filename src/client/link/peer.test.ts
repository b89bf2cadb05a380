import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProtocolDriver } from '../protocol/driver.ts';
import { SessionDriver } from '../protocol/sessionDriver.ts';
import { StatelessDriver } from '../protocol/statelessDriver.ts';
import { Peer, type PeerOptions } from './peer.ts';
import type { SendOptions } from './wires.ts';

const stateless = new StatelessDriver({}, () => ({
  protocolVersion: '2026-07-28',
  clientInfo: { name: 'test', version: '1' },
  capabilities: {},
}));

/** A peer, what has left it, and the server's side of its transport. */
function setUp(options: Partial<PeerOptions> = {}, driver: ProtocolDriver = new SessionDriver({})) {
  const sent: JSONRPCMessage[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const transport = {
    onmessage: (_message: JSONRPCMessage): void => undefined,
    onclose: (): void => undefined,
    send(message: JSONRPCMessage | JSONRPCMessage[], given?: SendOptions): Promise<void> {
      sent.push(...[message].flat());
      signals.push(given?.requestSignal);
      return Promise.resolve();
    },
    close(): Promise<void> {
      this.onclose();
      return Promise.resolve();
    },
  };
  const peer = new Peer({
    transport,
    driver: () => driver,
    newId: () => `id-${sent.length}`,
    raw: { take: () => false },
    ...options,
  });
  const receive = (message: object): void => transport.onmessage({ jsonrpc: '2.0', ...message } as never);
  return { peer, sent, signals, receive };
}

describe('a request', () => {
  it('resolves with the result of the response that has its ID, whatever came before', async () => {
    const { peer, sent, receive } = setUp();
    const first = peer.request('tools/list');
    const second = peer.request('tools/list', { cursor: 'a' });
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 'id-0', method: 'tools/list' },
      { jsonrpc: '2.0', id: 'id-1', method: 'tools/list', params: { cursor: 'a' } },
    ]);
    expect(peer.awaits('id-1')).toBe(true);
    receive({ id: 'id-1', result: { tools: [1] } });
    receive({ id: 'id-0', result: { tools: [] } });
    expect(await Promise.all([first, second])).toEqual([{ tools: [] }, { tools: [1] }]);
    expect(peer.awaits('id-1')).toBe(false);
  });

  it('rejects with the code, the message and the data of an error', async () => {
    const { peer, receive } = setUp();
    const asked = peer.request('prompts/get', {});
    receive({ id: 'id-0', error: { code: -32602, message: 'No such prompt', data: { name: 'a' } } });
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      message: 'No such prompt',
      data: { name: 'a' },
    });
  });

  it('rejects when the transport fails to send it, and when the connection is closed', async () => {
    const failing = setUp({
      transport: { send: () => Promise.reject(new Error('HTTP 500')), close: () => Promise.resolve() },
    });
    await expect(failing.peer.request('ping')).rejects.toThrow('HTTP 500');
    const { peer } = setUp();
    const asked = peer.request('ping');
    await peer.close();
    await expect(asked).rejects.toThrow('Connection closed');
    await expect(peer.request('ping')).rejects.toThrow('Not connected');
  });

  it('carries what the driver adds, and a driver of 2026-07-28 has no ping', async () => {
    const { peer, sent } = setUp({}, stateless);
    void peer.request('tools/list').catch(() => undefined);
    expect(sent[0]).toHaveProperty('params._meta');
    await expect(peer.ping()).rejects.toThrow('MCP 2026-07-28 has no ping.');
    expect(sent).toHaveLength(1);
  });
});

describe('a request without a response', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is cancelled with a notification where there are sessions', async () => {
    const { peer, sent } = setUp();
    const asked = expect(peer.ping({ timeoutMs: 10 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(10);
    await asked;
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 'id-0' } });
  });

  it('is cancelled by its end on 2026-07-28, and `initialize` is not cancelled', async () => {
    const modern = setUp({}, stateless);
    const asked = expect(modern.peer.request('a', {}, { timeoutMs: 10 })).rejects.toThrow('timed out');
    const session = setUp();
    const begun = expect(session.peer.request('initialize', {}, { timeoutMs: 10 })).rejects.toThrow(
      'timed out',
    );
    await vi.advanceTimersByTimeAsync(10);
    await Promise.all([asked, begun]);
    expect(modern.signals[0]?.aborted).toBe(true);
    expect([modern.sent.length, session.sent.length]).toEqual([1, 1]);
  });
});

describe('a request of the server', () => {
  it('gets what this page has, and else that there is no such method', () => {
    const { sent, receive } = setUp({ roots: () => [{ uri: 'file:///a' }] });
    receive({ id: 1, method: 'ping' });
    receive({ id: 2, method: 'roots/list' });
    receive({ id: 3, method: 'tools/list' });
    receive({ method: 'notifications/tools/list_changed' });
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: { roots: [{ uri: 'file:///a' }] } },
      { jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'Method not found' } },
    ]);
  });

  it('gets no roots from a page that offers none, and nothing on 2026-07-28', () => {
    const { sent, receive } = setUp();
    receive({ id: 1, method: 'roots/list' });
    expect(sent).toMatchObject([{ error: { code: -32601 } }]);
    const modern = setUp({}, stateless);
    modern.receive({ id: 1, method: 'ping' });
    expect(modern.sent).toEqual([]);
  });
});
