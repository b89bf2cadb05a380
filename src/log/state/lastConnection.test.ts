import { expect, it } from 'vitest';
import type { ConnectionState } from './connectionState.ts';
import { foldLastConnection, type LastConnection } from './lastConnection.ts';

const fold = (...states: readonly ConnectionState[]) =>
  states.reduce<LastConnection>((before, state, i) => foldLastConnection(before, state, i + 1), {});
const lost = (code: 'offline' | 'page-loaded' | 'logged-in'): ConnectionState => ({
  name: 'reconnecting',
  attempt: 1,
  retryAt: 0,
  reason: { code },
});
const CONNECTED: ConnectionState = { name: 'connected', how: 'fresh' };

it('keeps the time of the last connection, and the last error after it', () => {
  expect(fold({ name: 'connecting', url: 'x' }, CONNECTED, lost('offline'), CONNECTED)).toEqual({
    lastConnectedAt: 4,
    lastError: { at: 3, state: 'reconnecting', reason: 'offline' },
  });
});

it('takes a failed connection for an error, and a reload, a login or the user for none', () => {
  expect(fold({ name: 'failed', reason: { code: 'unreachable', how: 'http' } }).lastError).toMatchObject({
    reason: 'unreachable',
  });
  const harmless = [
    lost('page-loaded'),
    lost('logged-in'),
    { name: 'disconnected', reason: { code: 'user-disconnected', how: 'connection' } } as const,
  ];
  expect(fold(...harmless)).toEqual({});
});
