import { describe, expect, it, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { testLog } from '../../recorder/testing/testLog.ts';
import type { Session } from './session.ts';
import { trySession } from './trySession.ts';

const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };
type Tried = Parameters<typeof trySession>[0];

function connection(given: { open?: () => Promise<Session>; sessionId?: string; ping?: () => void }): Tried {
  const handshake = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 's', version: '1' },
  };
  const { sessionId, ping } = given;
  const session: Session = { protocolVersion: '2025-11-25', handshake, ...(sessionId && { sessionId }) };
  return {
    session,
    open: given.open ?? (() => Promise.resolve(session)),
    peer: {
      ping: () => {
        ping?.();
        return Promise.resolve({});
      },
    },
  };
}

const eventWithId = (log: ServerLog) =>
  log.append({ body: { kind: 'position', stream: 'standalone', eventId: 'e1' } });

describe('a try of initialize', () => {
  it('sees event IDs in the response to initialize, and asks for nothing more', async () => {
    const log = testLog(clock);
    let pings = 0;
    const opened = connection({ sessionId: 'x', ping: () => (pings += 1) });
    eventWithId(log);
    const tried = await trySession(opened, { log, clock }, 1000);
    expect(tried).toEqual({ kind: 'opened', hasSessionId: true, sendsEventIds: true });
    expect(pings).toBe(0);
  });

  it('pings where the response to initialize had no event ID', async () => {
    const log = testLog(clock);
    const opened = connection({ sessionId: 'x', ping: () => eventWithId(log) });
    expect(await trySession(opened, { log, clock }, 1000)).toMatchObject({ sendsEventIds: true });
  });

  it('does not ping without a session', async () => {
    const log = testLog(clock);
    const opened = connection({ ping: () => eventWithId(log) });
    const tried = await trySession(opened, { log, clock }, 1000);
    expect(tried).toEqual({ kind: 'opened', hasSessionId: false, sendsEventIds: false });
  });

  test.each([
    [{ status: 400 }, { kind: 'rejected', status: 400 }],
    [{ status: 404 }, { kind: 'rejected', status: 404 }],
    [{ code: -32601 }, { kind: 'rejected', status: undefined }],
    [{ status: 401 }, { kind: 'no-answer' }],
    [{ status: 429 }, { kind: 'no-answer' }],
    [{ status: 500 }, { kind: 'no-answer' }],
    [{ code: 'REQUEST_TIMEOUT' }, { kind: 'no-answer' }],
    [{}, { kind: 'no-answer' }],
  ])('that fails with %j is %j', async (error, tried) => {
    const failing = connection({ open: () => Promise.reject(Object.assign(new Error('no'), error)) });
    expect(await trySession(failing, { log: testLog(clock), clock }, 1000)).toMatchObject(tried);
  });

  it('does not wait for ever', async () => {
    const late: Clock = { ...clock, after: (_, fn) => (queueMicrotask(fn), () => undefined) };
    const silent = connection({ open: () => new Promise(() => undefined) });
    expect(await trySession(silent, { log: testLog(late), clock: late }, 1000)).toMatchObject({
      kind: 'no-answer',
    });
  });
});
