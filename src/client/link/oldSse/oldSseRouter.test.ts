import { describe, expect, it } from 'vitest';
import { StillClock } from '../../testing/stillClock.ts';
import { linkOptions } from '../../testing/testLink.ts';
import type { ServerLog } from '../../../recorder/serverLog.ts';
import { testLog } from '../../../recorder/testing/testLog.ts';
import type { Reason } from '../../../log/reasons/reason.ts';
import { ConnectionBudget } from '../../../wire/connectionBudget.ts';
import type { ExchangeListener, ResponseHead } from '../../../wire/exchange.ts';
import type { WireRequest } from '../../../wire/recordingFetch.ts';
import { Redactor } from '../../../wire/redact.ts';
import type { LinkEvent } from '../../streams/linkEvent.ts';
import { OldSseRouter } from './oldSseRouter.ts';

const CALL = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

function setUp({ awaited = [] as readonly string[] } = {}) {
  const clock = new StillClock();
  const redactor = new Redactor();
  const log = testLog(clock, { redactor });
  const budget = new ConnectionBudget(clock);
  budget.places = 1;
  const events: LinkEvent[] = [];
  const ended: Reason[] = [];
  const router = new OldSseRouter({
    ...linkOptions('http://s/sse', { log, clock, budget, redactor }),
    wire: { hasEventIds: false, awaits: (id) => awaited.includes(String(id)) },
    emit: (event) => events.push(event),
    onEnded: (reason) => ended.push(reason),
  });
  const kinds = () => log.tail.map(({ kind }) => kind);
  return { clock, log, budget, events, ended, router, kinds };
}

const head = (status: number, streams: boolean, method: string): ResponseHead => ({
  status,
  streams,
  method,
  durationMs: 1,
  url: 'http://s/sse',
  requestHeaders: new Headers(),
  responseHeaders: new Headers(),
});

function request(method: WireRequest['method'], body?: string): WireRequest {
  const { signal } = new AbortController();
  return {
    method,
    headers: new Headers(),
    signal,
    ...(body !== undefined && { body }),
  };
}

/** A call whose POST is about to be sent. */
async function post(log: ServerLog, router: OldSseRouter): Promise<ExchangeListener> {
  const change = { name: 'sending', tool: 'echo', args: {}, repeatable: false } as const;
  log.append({ body: { kind: 'call', callId: CALL, change } });
  await log.folded();
  const message = { jsonrpc: '2.0', id: CALL, method: 'tools/call', params: { name: 'echo', arguments: {} } };
  return router.listen(request('POST', JSON.stringify(message)));
}

function stream(router: OldSseRouter): ExchangeListener {
  const listener = router.listen(request('GET'));
  listener.head(head(200, true, 'GET'));
  return listener;
}

describe('the POST of a call', () => {
  it('is recorded, and has no event ID to resume from', async () => {
    const { log, router } = setUp();
    const listener = await post(log, router);
    expect(listener.lastEventId).toBeNull();
    await log.folded();
    expect(log.tail.at(-1)).toMatchObject({ kind: 'sent', method: 'tools/call', callId: CALL });
    listener.head(head(202, false, 'POST'));
    await log.folded();
    expect(log.tail.at(-1)).toMatchObject({ kind: 'http', status: 202, callId: CALL });
  });

  it.each([
    ['with an empty body', (one: ExchangeListener) => one.end({ how: 'closed' })],
    ['with a text, which means nothing', (one: ExchangeListener) => one.refused(202, 'Accepted')],
  ])('is open when the server has taken it, %s', async (_, respond) => {
    const { log, router, events } = setUp();
    const listener = await post(log, router);
    await log.folded();
    expect(log.state.calls.get(CALL)?.name).toBe('sending');
    respond(listener);
    await log.folded();
    expect(log.state.calls.get(CALL)?.name).toBe('open');
    expect(events).toEqual([]);
  });

  it('gives nothing of its response to the SDK, and does not end with it', async () => {
    const { log, router } = setUp();
    const listener = await post(log, router);
    expect(await listener.frames([{ data: '{}' }])).toEqual({ forward: [], done: false });
  });

  it.each([
    ['is refused', (one: ExchangeListener) => one.refused(500, 'no'), { kind: 'status', status: 500 }],
    ['is redirected', (one: ExchangeListener) => one.refused(300, ''), { kind: 'status', status: 300 }],
    [
      'never arrives',
      (one: ExchangeListener) => one.failed(new Error('gone')),
      { kind: 'threw', why: 'gone' },
    ],
    [
      'breaks off',
      (one: ExchangeListener) => one.end({ how: 'broken', why: 'reset' }),
      { kind: 'threw', why: 'reset' },
    ],
  ])('that %s fails, and the call is not taken for open', async (_, respond, outcome) => {
    const { log, router, events } = setUp();
    respond(await post(log, router));
    expect(events).toMatchObject([
      { kind: 'request-failed', failure: { request: 'post', callId: CALL, outcome } },
    ]);
    await log.folded();
    expect(log.state.calls.get(CALL)?.name).toBe('sending');
  });
});

describe('the stream', () => {
  it('holds a place of the budget that it never gives away, until it ends', async () => {
    const { router, budget, clock } = setUp();
    const listener = stream(router);
    const granted: string[] = [];
    const other = {
      key: 'other',
      rank: 'standalone',
      canYield: () => false,
      yield: () => undefined,
    } as const;
    const entered = budget.enter(other).then(() => granted.push('other'));
    await clock.to(10_000);
    expect(granted).toEqual([]);
    listener.end({ how: 'closed' });
    await entered;
    expect(granted).toEqual(['other']);
  });

  it('is not of this transport if it is no stream: it ends at once, and says nothing', async () => {
    const { router, ended, kinds, log } = setUp();
    const listener = router.listen(request('GET'));
    listener.head(head(200, false, 'GET'));
    expect(await listener.frames([{ data: '{"jsonrpc":"2.0","method":"x"}' }])).toEqual({
      forward: [],
      done: true,
    });
    listener.end({ how: 'closed' });
    await log.folded();
    expect(kinds()).toEqual(['http']);
    expect(ended).toEqual([]);
  });

  it('shows its endpoint without what identifies the session, and hides that from then on', async () => {
    const { router, log } = setUp();
    const listener = stream(router);
    const endpoint = { event: 'endpoint', data: '/messages?sessionId=abcdef0123456789' };
    const bytes = new TextEncoder().encode(`event: endpoint\ndata: ${endpoint.data}\n\n`);
    expect((await listener.events(bytes)).forward).toEqual([endpoint]);
    await log.folded();
    expect(log.tail.at(-1)).toMatchObject({ kind: 'note', reason: { code: 'old-sse', how: 'endpoint' } });
    const progress = {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { data: 'abcdef0123456789' },
    };
    await listener.frames([{ data: JSON.stringify(progress) }]);
    await log.folded();
    expect(log.tail.at(-1)?.kind).toBe('received');
    expect(JSON.stringify(log.tail)).not.toContain('abcdef0123456789');
    // A word of the path is no secret.
    expect(JSON.stringify(log.tail)).toContain('/messages');
  });

  it('settles a call with its response, ignores event IDs, and forwards only what the SDK waits for', async () => {
    const { router, log } = setUp({ awaited: ['1'] });
    (await post(log, router)).end({ how: 'closed' });
    const listener = stream(router);
    const response = (id: string) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
    const { forward, done } = await listener.frames([
      { id: '7', data: response(CALL) },
      { data: response('1') },
    ]);
    expect(forward).toEqual([{ data: response('1') }]);
    expect(done).toBe(false);
    await log.folded();
    expect(log.state.calls.get(CALL)?.name).toBe('settled');
    await log.folded();
    expect(log.state.sendsEventIds).toBe(false);
    await log.folded();
    expect(log.tail.filter(({ kind }) => kind === 'received')).toHaveLength(2);
  });

  it.each([
    ['closed', { how: 'closed' }, 'closed', undefined],
    ['broken', { how: 'broken', why: 'reset' }, 'broken', { code: 'broken', text: 'reset' }],
  ] as const)('is the session: when it is %s, that is over', async (_, end, how, reason) => {
    const { router, log, ended } = setUp();
    stream(router).end(end);
    await log.folded();
    expect(log.tail.at(-1)).toMatchObject({ kind: 'stream-end', how, ...(reason && { reason }) });
    expect(ended).toEqual([{ code: 'session-ended', how: `sse-${how}` }]);
  });

  it('that is refused or fails says why there is no session', async () => {
    const { router, ended } = setUp();
    router.listen(request('GET')).refused(503, '');
    router.listen(request('GET')).failed(new Error('gone'));
    expect(ended).toEqual([
      { code: 'session-ended', how: 'sse-refused', status: 503 },
      { code: 'session-ended', how: 'sse-failed', text: 'gone' },
    ]);
  });
});
