import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import { next, type ConnectionEvent } from './connectionMachine.ts';

const TROUBLE: ConnectionEvent = {
  type: 'trouble',
  attempt: 2,
  retryAt: 5,
  reason: { code: 'broken' },
};
const COME_BACK: ConnectionEvent = {
  type: 'come-back',
  reason: { code: 'page-loaded' },
  now: 1,
};

function run(...events: readonly ConnectionEvent[]): ConnectionState {
  return events.reduce(next, { name: 'idle' });
}

describe('the connection', () => {
  it('is fresh after a handshake', () => {
    expect(run({ type: 'connect', url: 'u' }, { type: 'handshake-done' })).toEqual({
      name: 'connected',
      how: 'fresh',
    });
  });

  it('is resumed after a reload', () => {
    expect(run(COME_BACK, { type: 'came-back' })).toEqual({ name: 'connected', how: 'resumed' });
  });

  it('tells each try, and comes back from it', () => {
    expect(run(COME_BACK, TROUBLE)).toEqual({
      name: 'reconnecting',
      attempt: 2,
      retryAt: 5,
      reason: { code: 'broken' },
    });
    expect(run(COME_BACK, TROUBLE, { type: 'came-back' })).toMatchObject({ how: 'resumed' });
  });

  it('stays fresh when a healthy stream reports again', () => {
    expect(
      run({ type: 'connect', url: 'u' }, { type: 'handshake-done' }, { type: 'came-back' }),
    ).toMatchObject({ how: 'fresh' });
  });

  it('is not tried again until the user has logged in', () => {
    const authorize = { type: 'authorize', ask: 'login', reason: { code: 'unauthorized' } } as const;
    expect(run(COME_BACK, authorize, TROUBLE)).toMatchObject({ name: 'authorizing', ask: 'login' });
  });

  it('has failed with what helps, and with nothing else', () => {
    const failure = {
      reason: { code: 'broken' },
      paste: 'p',
      elsewhere: 'e',
      isElsewhereOldSse: true,
    } as const;
    expect(run({ type: 'failed', ...failure })).toEqual({ name: 'failed', ...failure });
    const plain = run({ type: 'failed', reason: failure.reason });
    expect(Object.keys(plain)).toEqual(['name', 'reason']);
  });

  it('is not brought back by anything that reports late, once it has ended', () => {
    const late = fc.constantFrom<ConnectionEvent>(
      TROUBLE,
      { type: 'came-back' },
      { type: 'handshake-done' },
      {
        type: 'restarted',
        reason: { code: 'session-gone' },
        cost: { callsLost: 0, questionsExpired: 0 },
      },
    );
    const end = fc.constantFrom<ConnectionEvent>(
      { type: 'disconnected', reason: { code: 'user-disconnected', how: 'connection' } },
      { type: 'failed', reason: { code: 'offline' } },
    );
    fc.assert(
      fc.property(end, fc.array(late), (last, events) => {
        expect(run({ type: 'connect', url: 'u' }, last, ...events)).toEqual(run(last));
      }),
    );
  });
});
