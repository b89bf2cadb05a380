import { describe, expect, it } from 'vitest';
import type { Reason } from '../../log/reasons/reason.ts';
import { FAILURE_TEXTS } from './failureTexts.ts';
import { isSameEvent, publicStateOf, restoredState } from './publicState.ts';

describe('a failed connection', () => {
  const rows: readonly (readonly [Reason, string])[] = [
    [{ code: 'unreachable', how: 'http' }, 'unreachable'],
    [{ code: 'offline' }, 'unreachable'],
    [{ code: 'cors', how: 'answers' }, 'cors'],
    [{ code: 'session-id-hidden' }, 'cors'],
    [{ code: 'not-mcp' }, 'not-mcp'],
    [{ code: 'protocol-version', how: 'not-shared' }, 'unsupported-version'],
    [{ code: 'unauthorized' }, 'unauthorized'],
    [{ code: 'metadata-unusable' }, 'login-failed'],
    [{ code: 'refused', status: 400 }, 'refused'],
  ];
  it.each(rows)('because of %j has the reason %s, and what to do', (reason, code) => {
    const state = publicStateOf({ name: 'failed', reason }, FAILURE_TEXTS);
    expect(state).toMatchObject({ name: 'failed', reason: code, why: /./, fix: /./ });
  });

  it('is told once its sentences are loaded', () => {
    expect(publicStateOf({ name: 'failed', reason: { code: 'offline' } }, undefined)).toBeUndefined();
  });
});

it('a login is asked for, or a client ID where the server registers none', () => {
  const reason = { code: 'login-needed', how: 'over' } as const;
  expect(publicStateOf({ name: 'authorizing', reason, ask: 'login' }, undefined)).toEqual({
    name: 'needs-login',
    why: 'The login has expired.',
  });
  const client = { name: 'authorizing', reason: { code: 'client-needed' }, ask: 'client' } as const;
  expect(publicStateOf(client, undefined)).toMatchObject({ name: 'failed', reason: 'client-id-required' });
});

describe('what the last page has left', () => {
  it('is no connection of this page yet', () => {
    expect(restoredState({ name: 'connected', how: 'fresh' }, 7)).toMatchObject({
      name: 'reconnecting',
      retryAt: 7,
    });
    expect(restoredState({ name: 'disconnected', reason: { code: 'offline' } }, 7).name).toBe('connecting');
    expect(restoredState({ name: 'failed', reason: { code: 'offline' } }, 7).name).toBe('connecting');
  });
});

it('recovered messages are no new state', () => {
  const state = { name: 'connected', how: 'resumed', recovered: 1 } as const;
  expect(isSameEvent(state, { ...state, recovered: 5 })).toBe(true);
  expect(isSameEvent(state, { ...state, how: 'restarted' })).toBe(false);
});
