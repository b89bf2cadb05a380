import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../targets/testing/eventually.ts';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { SessionCheck } from '../exchange/sessionCheck.ts';
import type { LinkEvent } from '../streams/linkEvent.ts';
import { linkOptions, NO_LOGIN } from '../testing/testLink.ts';
import type { Attempt } from './attempt.ts';
import { Connection, STREAMABLE_HTTP } from './connection.ts';
import type { LinkOptions } from './linkOptions.ts';

const CALL = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

function connect(url: string, given: Partial<LinkOptions> = {}, tried: Partial<Attempt> = {}) {
  const options = linkOptions(url, given);
  const events: LinkEvent[] = [];
  const connection = new Connection(options, {
    session: undefined,
    wire: STREAMABLE_HTTP,
    revision: 'session',
    tokens: NO_LOGIN,
    sessionCheck: new SessionCheck(() => Promise.resolve(true)),
    emit: (event) => events.push(event),
    ...tried,
  });
  onTestFinished(() => connection.close());
  const call = (tool: string, args: object, callId = CALL) => {
    const change = { name: 'sending', tool, args, repeatable: false } as const;
    options.log.append({ body: { kind: 'call', callId, change } });
    return connection.callTool({ callId, wireId: callId, tool, args });
  };
  const stateOf = (callId = CALL) => options.log.state.calls.get(callId);
  return { connection, options, log: options.log, events, call, stateOf };
}

describe('a new connection', () => {
  it('shakes hands once, and says what the next page has to store of it', async () => {
    const target = await withTarget('resumable');
    const { connection } = connect(target.url);
    const session = await connection.open();
    expect(session).toMatchObject({ protocolVersion: '2025-11-25', handshake: { capabilities: {} } });
    expect(session.sessionId).toBe(target.stats().sessions[0]?.id);
    expect(connection).toMatchObject({ hasSession: true, hasEventIds: true, closeCancels: false });
    expect(connection.verdict).toMatchObject({ era: 'session', reason: { code: 'chosen' } });
    expect(target.stats().initializes).toBe(1);
  });

  it('to a server of 2026-07-28 has no session, and closing a request cancels it', async () => {
    const { url } = await withTarget('modern');
    const { connection } = connect(url, {}, { revision: 'auto' });
    const session = await connection.open();
    expect(session.sessionId).toBeUndefined();
    expect(session.discover).toBeDefined();
    expect(connection).toMatchObject({ hasSession: false, hasEventIds: false, closeCancels: true });
    expect(connection.verdict).toMatchObject({ era: 'stateless', reason: { code: 'probe-answered' } });
  });
});

describe('with a stored session', () => {
  it('no handshake is sent: its answer is the stored one', async () => {
    const target = await withTarget('resumable');
    const first = connect(target.url);
    const session = await first.connection.open();
    await first.connection.close();
    const second = connect(target.url, {}, { session });
    expect(await second.connection.open()).toEqual(session);
    expect(target.stats().initializes).toBe(1);
    expect(await second.connection.ask('1', 'ping', {})).toMatchObject({ id: '1', result: {} });
  });
});

describe('a call', () => {
  it('is settled by the log, with its progress', async () => {
    const { url } = await withTarget('resumable');
    const { connection, call, stateOf } = connect(url);
    await connection.open();
    await call('countdown', { ticks: 2, intervalMs: 1 });
    await eventually('the call has its result', () => stateOf()?.name === 'settled');
    expect(stateOf()).toMatchObject({ progress: { progress: 2 }, result: { structuredContent: {} } });
  });

  it('is cancelled at the server by a notification', async () => {
    const { url } = await withTarget('resumable');
    const { connection, call, log, stateOf } = connect(url);
    await connection.open();
    await call('countdown', { ticks: 100, intervalMs: 1000 });
    await eventually('the server has begun', () => stateOf()?.progress !== undefined);
    await connection.cancel(CALL, 'Not needed.');
    const sent = log.tail.filter(({ kind }) => kind === 'sent');
    expect(sent.map((entry) => 'method' in entry && entry.method)).toContain('notifications/cancelled');
  });

  it('that the server rejects is reported with its verdict, and not settled here', async () => {
    const { url } = await withTarget('resumable');
    const { connection, call, events, stateOf } = connect(url, {
      fetch: (input, init) =>
        typeof init?.body === 'string' && init.body.includes('tools/call')
          ? Promise.resolve(new Response('no', { status: 500 }))
          : fetch(input, init),
    });
    await connection.open();
    await call('countdown', {}).catch(() => undefined);
    expect(events).toContainEqual({
      kind: 'request-failed',
      failure: expect.objectContaining({ request: 'post', callId: CALL }),
    });
    expect(stateOf()?.name).toBe('sending');
  });
});

describe('the secrets of a connection', () => {
  it('a bearer token is sent as it is, and stands nowhere in the log', async () => {
    const { url } = await withTarget('resumable');
    const tokens: (string | null)[] = [];
    const { connection, options, log } = connect(url, {
      credentials: { bearer: 'bearer-token-1' },
      fetch: (input, init) => {
        tokens.push(new Headers(init?.headers).get('authorization'));
        return fetch(input, init);
      },
    });
    options.redactor.protect(options.credentials);
    await connection.open();
    expect(new Set(tokens)).toEqual(new Set(['Bearer bearer-token-1']));
    expect(JSON.stringify(log.tail)).not.toContain('bearer-token-1');
  });

  it('once a login is needed, a refusal of another kind doesn’t change that', async () => {
    const { url } = await withTarget('resumable');
    const answers = [
      { name: 'login', ask: 'login', reason: { code: 'unauthorized' } } as const,
      { name: 'forbidden', reason: { code: 'forbidden' } } as const,
    ];
    const recover = () => Promise.resolve(answers.shift() as never);
    const { connection } = connect(
      url,
      { fetch: () => Promise.resolve(new Response('', { status: 401 })) },
      { tokens: { ...NO_LOGIN, recover } },
    );
    await expect(connection.open()).rejects.toThrow();
    await connection.ask('1', 'ping', {}, 100).catch(() => undefined);
    expect(connection.blocked).toMatchObject({ name: 'login' });
  });
});

it('the end of a session is told to the server, and closing the connection is not', async () => {
  const target = await withTarget('resumable');
  const { connection } = connect(target.url);
  await connection.open();
  await connection.close();
  expect(target.stats().sessions).toMatchObject([{ deletes: 0 }]);
  const other = connect(target.url);
  await other.connection.open();
  await other.connection.terminate();
  expect(target.stats().sessions.at(-1)).toMatchObject({ deletes: 1 });
});
