import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { Peer } from '../link/peer.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import { SessionDriver } from '../protocol/sessionDriver.ts';
import { StatelessDriver } from '../protocol/statelessDriver.ts';
import { CurrentPreferences } from '../settings/currentPreferences.ts';
import { NO_PREFERENCES } from '../settings/preferences.ts';
import { Primitives } from './primitives.ts';

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { logging: {}, resources: { subscribe: true }, prompts: {} },
  serverInfo: { name: 'server', version: '1' },
};

const stateless = new StatelessDriver({}, () => ({
  protocolVersion: '2026-07-28',
  clientInfo: { name: 'test', version: '1' },
  capabilities: {},
}));

/** What leaves for the server, by method; `refuses` answers every request with a JSON-RPC error. */
function setUp(driver: ProtocolDriver, { refuses = false } = {}) {
  const sent: string[] = [];
  const transport = {
    onmessage: (_message: JSONRPCMessage): void => undefined,
    close: () => Promise.resolve(),
    send(message: JSONRPCMessage | JSONRPCMessage[]) {
      if (Array.isArray(message) || !('method' in message)) return Promise.resolve();
      sent.push(message.method);
      const answer = refuses ? { error: { code: -32601, message: 'No.' } } : { result: {} };
      if ('id' in message) this.onmessage({ jsonrpc: '2.0', id: message.id, ...answer });
      return Promise.resolve();
    },
  };
  const peer = new Peer({ transport, driver: () => driver, newId: () => '1', raw: { take: () => false } });
  const session = { protocolVersion: HANDSHAKE.protocolVersion, handshake: HANDSHAKE };
  const connection = { peer, session, driver };
  const preferences = new CurrentPreferences(NO_PREFERENCES, () => Promise.resolve());
  const primitives = new Primitives({
    link: { connection, stateless: { listen: () => sent.push('listen') }, require: () => connection },
    requestWithInput: (method) => {
      sent.push(`${method} as a call`);
      return Promise.resolve({});
    },
    preferences,
  });
  return { primitives, preferences, sent };
}

describe('on a server with sessions', () => {
  const session = new SessionDriver({});

  it('a preference is a request, and what the server agrees to is kept', async () => {
    const { primitives, preferences, sent } = setUp(session);
    await primitives.perform({ does: 'subscribe', uri: 'a:b' });
    await primitives.perform({ does: 'level', level: 'debug' });
    await primitives.perform({ does: 'roots', roots: [] });
    expect(sent).toEqual(['resources/subscribe', 'logging/setLevel', 'notifications/roots/list_changed']);
    expect(JSON.stringify(preferences.value)).toContain('"agreed"');
  });

  it('a refusal is kept beside the preference', async () => {
    const { primitives, preferences } = setUp(session, { refuses: true });
    await expect(primitives.perform({ does: 'subscribe', uri: 'a:b' })).rejects.toThrow('No.');
    expect(preferences.value.subscriptions).toMatchObject([{ uri: 'a:b', told: { name: 'refused' } }]);
  });

  it('a new session is told everything again, the same one only what it does not know', async () => {
    const { primitives, sent } = setUp(session);
    await primitives.perform({ does: 'level', level: 'debug' });
    sent.length = 0;
    await primitives.renew('same');
    expect(sent).toEqual([]);
    await primitives.renew('new');
    expect(sent).toEqual(['logging/setLevel']);
  });
});

describe('on a server of 2026-07-28', () => {
  it('the level goes with each request, and subscriptions with the stream of changes', async () => {
    const { primitives, preferences, sent } = setUp(stateless);
    await primitives.perform({ does: 'level', level: 'debug' });
    await primitives.perform({ does: 'subscribe', uri: 'a:b' });
    await primitives.perform({ does: 'roots', roots: [] });
    expect(sent).toEqual(['listen']);
    expect(preferences.value.level).toMatchObject({ name: 'debug', told: { name: 'agreed' } });
  });

  it('what it says with its stream is kept', async () => {
    const { primitives, preferences } = setUp(stateless);
    await primitives.perform({ does: 'subscribe', uri: 'a:b' });
    const refusal = { code: 'not-told', names: ['a:b'] } as const;
    await primitives.subscriptionsAcknowledged({ asked: ['a:b'], agreed: [], refusal });
    expect(preferences.value.subscriptions).toMatchObject([{ told: { name: 'refused', reason: refusal } }]);
  });

  it('a resource is read as a call, because the server may ask first', async () => {
    const { primitives, sent } = setUp(stateless);
    await primitives.perform({ does: 'read', uri: 'a:b' });
    await primitives.perform({ does: 'prompt', prompt: 'p', args: {} });
    expect(sent).toEqual(['resources/read as a call', 'prompts/get as a call']);
  });
});
