import { describe, expect, it } from 'vitest';
import { STANDALONE } from '../../log/entry/entry.ts';
import { TestStreams } from './testing/testStreams.ts';

const CALL = 'call-1';

describe('a request', () => {
  it('is sent when there is a place, and opens its call', async () => {
    const page = new TestStreams();
    page.budget.places = 1;
    await page.budget.enter({ key: 'x', rank: 'standalone', canYield: () => false, yield: () => undefined });
    page.begin(CALL);
    page.begin('call-2');
    await page.clock.to(0);
    // One more place is spare for calls.
    expect(page.sent).toHaveLength(1);
    page.budget.leave('x');
    await page.clock.to(0);
    expect(page.sent).toEqual([CALL, 'call-2']);
    page.streams.opened(page.streams.posting(CALL, CALL), false);
    expect(await page.call(CALL)).toBe('open');
  });

  it('resolves when it was sent, and rejects where the browser could not send it', async () => {
    const page = new TestStreams();
    await page.streams.post('r1', undefined, () => Promise.resolve());
    const failed = page.streams.post('r2', undefined, () => Promise.reject(new Error('offline')));
    await expect(failed).rejects.toThrow('offline');
  });

  it('that is cancelled meanwhile resolves, whatever the browser says of the abort', async () => {
    const page = new TestStreams();
    page.begins(CALL);
    let abort = (): void => undefined;
    const sent = page.streams.post(
      CALL,
      CALL,
      () => new Promise((_, reject) => (abort = () => reject(new Error('aborted')))),
    );
    await page.clock.to(0);
    page.streams.drop(CALL);
    abort();
    await expect(sent).resolves.toBeUndefined();
  });

  it('whose stream can’t be resumed tells who waits for it', async () => {
    const page = new TestStreams();
    const lost: string[] = [];
    void page.streams.post(
      'r1',
      undefined,
      () => Promise.resolve(),
      (how) => lost.push(how),
    );
    await page.clock.to(0);
    const connection = page.streams.posting('r1', undefined);
    page.streams.opened(connection, false);
    page.streams.ended(connection, { how: 'closed' });
    expect(lost).toEqual(['lost']);
  });

  it.each([
    ['refused', { kind: 'status', status: 503, body: '' }],
    ['not answered', { kind: 'threw', why: 'offline' }],
  ] as const)('that is %s tells who waits for its response', async (_, outcome) => {
    const page = new TestStreams();
    const lost: string[] = [];
    let fail = (): void => undefined;
    const sent = page.streams.post(
      'r1',
      undefined,
      () => new Promise((_resolve, reject) => (fail = () => reject(new Error('thrown by the transport')))),
      (how) => lost.push(how),
    );
    await page.clock.to(0);
    page.streams.failed(page.streams.posting('r1', undefined), 'post', outcome);
    fail();
    await sent;
    expect(lost).toEqual(['lost']);
  });

  it('that a page leaves is left to the next one', async () => {
    const page = new TestStreams();
    const lost: string[] = [];
    void page.streams.post(
      'r1',
      undefined,
      () => Promise.resolve(),
      (how) => lost.push(how),
    );
    page.begin(CALL);
    await page.clock.to(0);
    page.streams.close();
    expect(lost).toEqual(['left']);
    expect(await page.call(CALL)).toBe('sending');
  });

  it('that the SDK makes by itself has a stream too; a notification has none', async () => {
    const page = new TestStreams();
    const own = page.streams.posting('sdk-1', undefined);
    expect(page.streams.posting('sdk-1', undefined)).toBe(own);
    const outgoing = page.streams.posting('outgoing', undefined);
    expect(page.streams.posting('outgoing', undefined)).not.toBe(outgoing);
  });
});

describe('what an exchange reports', () => {
  it('a response ends the stream of its own request, on whatever stream it came', async () => {
    const page = new TestStreams();
    const connection = await page.open(CALL);
    const released = page.attach(connection);
    page.streams.listen();
    await page.clock.to(0);
    const standalone = page.streams.listening(STANDALONE);
    page.streams.opened(standalone, true);
    page.streams.heard(standalone, { eventId: 'g1', isNew: true, responses: [CALL] });
    expect(released()).toBe(true);
    expect(await page.ends()).toEqual([`answered ${CALL}`]);
  });

  it('a stream that closes after an event ID is resumed from there', async () => {
    const page = new TestStreams();
    const connection = await page.open(CALL);
    await page.namesEventIds(CALL, 'e4');
    page.streams.heard(connection, { eventId: 'e4', isNew: true, responses: [] });
    page.streams.ended(connection, { how: 'closed' });
    expect(await page.ends()).toEqual([`closed ${CALL}`]);
    await page.clock.to(10_000);
    expect(page.gets).toEqual([CALL]);
    expect(page.streams.listening(CALL).lastEventId).toBe('e4');
  });

  it('of a connection that has been replaced is not heard', async () => {
    const page = new TestStreams();
    const connection = await page.open(CALL);
    await page.namesEventIds(CALL, 'e1');
    page.streams.heard(connection, { eventId: 'e1', isNew: true, responses: [] });
    page.streams.ended(connection, { how: 'broken', why: 'reset' });
    const before = await page.ends();
    page.streams.ended(connection, { how: 'closed' });
    page.streams.failed(connection, 'post', { kind: 'threw', why: 'late' });
    expect(await page.ends()).toEqual(before);
    expect(page.events.filter(({ kind }) => kind === 'request-failed')).toEqual([]);
    // And what it was attached to is let go at once.
    expect(page.attach(connection)()).toBe(true);
  });

  it('an event that is too large ends its call, with the limit', async () => {
    const page = new TestStreams();
    const connection = await page.open(CALL);
    page.streams.ended(connection, { how: 'oversized', limitBytes: 32 });
    await page.log.folded();
    expect(page.log.state.calls.get(CALL)).toMatchObject({
      name: 'lost',
      reason: { code: 'event-too-large', limitBytes: 32 },
    });
  });

  it('a refused POST is told with its verdict, and what becomes of the call is decided elsewhere', async () => {
    const page = new TestStreams();
    page.begin(CALL);
    await page.clock.to(0);
    page.streams.failed(page.streams.posting(CALL, CALL), 'post', { kind: 'status', status: 500, body: '' });
    expect(page.events).toMatchObject([
      { kind: 'request-failed', failure: { request: 'post', callId: CALL, outcome: { status: 500 } } },
    ]);
    expect(await page.call(CALL)).toBe('sending');
  });

  it.each([
    [400, '{"error":{"code":-32022}}', 'session-gone'],
    [401, '', 'login-needed'],
  ])('a GET that is rejected with %s and “%s” is %s', async (status, body, kind) => {
    const page = new TestStreams();
    page.blocked = { name: 'login', ask: 'login', reason: { code: 'unauthorized' } };
    page.streams.listen();
    await page.clock.to(0);
    page.streams.failed(page.streams.listening(STANDALONE), 'stream', { kind: 'status', status, body });
    expect(page.events.map((event) => event.kind)).toEqual([kind]);
    expect(await page.ends()).toEqual([`refused ${STANDALONE}`]);
  });

  it('a GET that is rejected with 405 means that there is no standalone stream, and no trouble', async () => {
    const page = new TestStreams();
    page.streams.listen();
    await page.clock.to(0);
    const outcome = { kind: 'status', status: 405, body: '' } as const;
    page.streams.failed(page.streams.listening(STANDALONE), 'stream', outcome);
    await page.clock.to(100_000);
    expect(page.gets).toHaveLength(1);
    expect(page.events.filter((event) => event.kind === 'trouble')).toEqual([]);
  });
});

describe('a page that was loaded again', () => {
  it('resumes a call from its event ID, and the standalone stream', async () => {
    const page = new TestStreams();
    page.begins(CALL);
    page.streams.restore(STANDALONE, undefined, { lastEventId: 'g3', wasAnswered: true });
    page.streams.restore(CALL, CALL, { lastEventId: 'e3', wasAnswered: true });
    await page.clock.to(0);
    expect(page.gets).toEqual([STANDALONE, CALL]);
    expect([STANDALONE, CALL].map((key) => page.streams.listening(key).lastEventId)).toEqual(['g3', 'e3']);
  });

  it('ends a call that has no event ID, and says why', async () => {
    const page = new TestStreams();
    page.begins(CALL);
    page.streams.restore(CALL, CALL, { lastEventId: undefined, wasAnswered: false });
    await page.clock.to(0);
    expect(page.gets).toEqual([]);
    expect(page.log.state.calls.get(CALL)).toMatchObject({
      name: 'unknown',
      reason: { code: 'page-closed' },
    });
  });
});

it('one standalone stream is opened, and none once the streams are closed', async () => {
  const page = new TestStreams();
  page.streams.listen();
  page.streams.listen();
  await page.clock.to(0);
  expect(page.gets).toEqual([STANDALONE]);
  const closed = new TestStreams();
  closed.streams.close();
  closed.streams.listen();
  await closed.clock.to(0);
  expect(closed.gets).toEqual([]);
});
