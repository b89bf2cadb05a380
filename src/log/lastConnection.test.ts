import { expect, it } from 'vitest';
import type { ConnectionState } from './connectionState.ts';
import { foldLastConnection, type LastConnection } from './lastConnection.ts';

const fold = (...states: readonly ConnectionState[]) =>
  states.reduce<LastConnection>((before, state, i) => foldLastConnection(before, state, i + 1), {});
const lost = (reason: string): ConnectionState => ({
  name: 'reconnecting',
  attempt: 1,
  retryAt: 0,
  why: '',
  reason,
});
const CONNECTED: ConnectionState = { name: 'connected', how: 'fresh' };

it('keeps the time of the last connection, and the last error after it', () => {
  expect(fold({ name: 'connecting', url: 'x' }, CONNECTED, lost('offline'), CONNECTED)).toEqual({
    lastConnectedAt: 4,
    lastError: { at: 3, state: 'reconnecting', reason: 'offline' },
  });
});

it('takes a failed connection for an error, and a reload, a login or the user for none', () => {
  expect(fold({ name: 'failed', why: '', fix: '', reason: 'cors' }).lastError).toMatchObject({
    reason: 'cors',
  });
  const harmless = [lost('page-loaded'), lost('logged-in'), { name: 'disconnected', why: '' } as const];
  expect(fold(...harmless)).toEqual({});
});
