import { describe, expect, test } from 'vitest';
import { recordedLog } from '../../e2e/recording/recordedLog.ts';
import type { Entry, EntryBody } from '../log/entry/entry.ts';
import { isOpen } from '../log/state/call.ts';
import { ServerReducer } from '../log/state/serverReducer.ts';
import { foldStored } from '../log/log.ts';
import { gapsOf } from './gaps.ts';
import { linksOf } from './links.ts';
import { LogIndex } from './logIndex.ts';
import { describeEntry } from './entryLine.ts';
import { stateAt } from './stateAt.ts';
import { CALL, entryOf, LIST, reloadedCall } from './testing/logOf.ts';
import { recorded } from '../log/reasons/reason.ts';

const index = new LogIndex();
index.add(reloadedCall);
const { exchanges } = index;
const entry = (seq: number) => {
  const found = reloadedCall.find((one) => one.seq === seq);
  if (!found) throw new Error(`There is no entry ${seq}.`);
  return found;
};

test('pairs a request with its response, and a call with all that carried it', () => {
  expect(exchanges.requests.get(LIST)).toMatchObject({
    label: 'tools/list',
    from: 1020,
    to: 1060,
    end: 'done',
  });
  expect(exchanges.calls.get(CALL)).toMatchObject({
    tool: 'countdown',
    first: 8,
    sent: 9,
    https: [10, 14, 15],
    questions: [19],
    result: 23,
    to: 5200,
    end: 'done',
  });
  expect(exchanges.carriages.filter(({ stream }) => stream === CALL)).toMatchObject([
    // The page left without a word: its stream ends where it was last heard of.
    { httpMethod: 'POST', to: 2100, end: 'lost' },
    { httpMethod: 'GET', status: 409, end: 'failed' },
    { httpMethod: 'GET', resumedFrom: 'e1', to: 5201, end: 'done' },
  ]);
  expect(exchanges.questions[0]).toMatchObject({ first: 19, last: 20, end: 'done', callId: CALL });
});

test('knows how long each exchange took, at both of its ends', () => {
  expect([8, 23, 3, 5, 10, 19, 20].map((seq) => index.durationOf(seq))).toEqual([
    3200, 3200, 40, 40, 5, 800, 800,
  ]);
});

test('knows when there was no page', () => {
  expect(gapsOf(exchanges)).toEqual([{ from: 2100, to: 4000, isKnown: false }]);
});

test('believes the browser about when a page was left, within what else is known', () => {
  const gapWith = (pageLeftAt: number) => {
    const log = new LogIndex();
    log.add(
      reloadedCall.map((one) => (one.kind === 'load' && one.load === 2 ? { ...one, pageLeftAt } : one)),
    );
    return gapsOf(log.exchanges);
  };
  expect(gapWith(3700)).toEqual([{ from: 3700, to: 4000, isKnown: true }]);
  expect(gapWith(1500), 'later entries were seen').toEqual([{ from: 2100, to: 4000, isKnown: true }]);
  expect(gapWith(9000), 'clocks differ').toEqual([{ from: 4000, to: 4000, isKnown: true }]);
});

test('a call that is lost, and its next try', () => {
  const sending = (callId: string, at: number, seq: number) =>
    entryOf(seq, at, 1, {
      kind: 'call',
      callId,
      change: { name: 'sending', tool: 'x', args: { a: 1 }, timeoutMs: 1, repeatable: true },
    });
  const log = new LogIndex();
  log.add([
    sending('one', 1, 1),
    entryOf(2, 5, 1, { kind: 'call', callId: 'one', change: { name: 'lost', reason: recorded('Gone.') } }),
    sending('two', 9, 3),
  ]);
  expect(log.exchanges.calls.get('one')).toMatchObject({ end: 'lost', to: 5 });
  const links = (seq: number, callId: string, at: number) =>
    linksOf(sending(callId, at, seq), log.exchanges).links;
  expect(links(1, 'one', 1)).toContainEqual({ seq: 3, role: 'next attempt' });
  expect(links(3, 'two', 9)).toContainEqual({ seq: 1, role: 'previous attempt' });
});

test('links a request, its streams, its resume, its question and its result', () => {
  const { links, callId } = linksOf(entry(11), exchanges);
  expect(callId).toBe(CALL);
  expect(links.map(({ seq, role }) => `${seq} ${role}`)).toEqual([
    '8 call created',
    '9 request',
    '10 POST 200',
    '14 GET 409',
    '15 resume 200 from event e1',
    '19 question',
    '20 answer',
    '23 result',
    '24 stream closed',
  ]);
  expect(linksOf(entry(21), exchanges).links.map(({ role }) => role)).toEqual(['question', 'answer']);
  expect(linksOf(entry(5), exchanges).links.map(({ role }) => role)).toEqual([
    'request',
    'POST 200',
    'stream closed',
  ]);
});

test('tells what was there at a moment', () => {
  expect(stateAt(index, 2150)).toMatchObject({ load: 1, isPageThere: false, connection: 'connected' });
  expect(stateAt(index, 2100)).toMatchObject({
    isPageThere: true,
    entries: 11,
    calls: [{ name: 'open', received: 1, replayed: 0 }],
  });
  const asked = stateAt(index, 4300);
  expect(asked).toMatchObject({
    load: 2,
    connection: 'connected',
    calls: [{ name: 'open', received: 3, replayed: 1 }],
    questions: [{ requestId: '7' }],
  });
  expect(stateAt(index, 6000)).toMatchObject({ calls: [{ name: 'done', received: 5 }], questions: [] });
  expect(stateAt(index, 0)).toMatchObject({ load: 0, isPageThere: false, connection: 'idle', calls: [] });
});

test('passes over what it has, and keeps time going forward', () => {
  const log = new LogIndex();
  log.add(reloadedCall);
  log.add(reloadedCall.slice(-3));
  log.add([entryOf(26, 10, 2, { kind: 'note', level: 'info', reason: recorded('the clock was set back') })]);
  expect(log.length).toBe(26);
  expect(log.timeAt(25)).toBe(5300);
  expect(log.positionAt(5300)).toBe(24);
});

const indexOf = (entries: readonly Entry[]) => {
  const log = new LogIndex();
  log.add(entries);
  return log;
};

/** Entries that follow each other, a hundredth of a second apart. */
const logOf = (...bodies: readonly EntryBody[]) => bodies.map((body, i) => entryOf(i + 1, 10 * i, 1, body));
const message = (content: object) => JSON.stringify({ jsonrpc: '2.0', ...content });
const begin = (callId: string, more = {}): EntryBody => ({
  kind: 'call',
  callId,
  change: { name: 'sending', tool: 'ask', args: {}, timeoutMs: 1, repeatable: true, ...more },
});
const asks = (callId: string, id = 0): EntryBody => ({
  kind: 'received',
  stream: callId,
  callId,
  method: 'elicitation/create',
  raw: message({ id, method: 'elicitation/create', params: { message: 'Go on?' } }),
});
const answered: EntryBody = { kind: 'question', requestId: '0', change: { name: 'answered' } };
const responds = (callId: string, result: object): EntryBody => ({
  kind: 'received',
  stream: callId,
  callId,
  raw: message({ id: callId, result }),
});

describe('a question', () => {
  test.each(['cancelled', 'lost', 'unknown', 'expired'] as const)(
    'ends with its call, if that is %s',
    (name) => {
      const ends: EntryBody = { kind: 'call', callId: 'a', change: { name, reason: recorded('x') } };
      const log = indexOf(logOf(begin('a'), asks('a'), ends));
      expect(log.exchanges.questions).toMatchObject([{ first: 2, last: 3, to: 20, end: 'expired' }]);
      expect(stateAt(log, 1000).questions).toEqual([]);
    },
  );

  test('ends when the server takes it back', () => {
    const method = 'notifications/cancelled';
    const raw = message({ method, params: { requestId: 0 } });
    const log = indexOf(
      logOf(begin('a'), asks('a'), { kind: 'received', stream: 'a', callId: 'a', method, raw }),
    );
    expect(log.exchanges.questions).toMatchObject([{ last: 3, end: 'cancelled' }]);
  });

  test('whose answer is sent ends well with its call, and at the latest when the answer has arrived', () => {
    const answering: EntryBody = { kind: 'question', requestId: '0', change: { name: 'answering' } };
    const entries = logOf(begin('a'), asks('a'), answering, responds('a', { content: [] }), answered);
    expect(indexOf(entries.slice(0, 4)).exchanges.questions).toMatchObject([{ last: 4, end: 'done' }]);
    expect(indexOf(entries).exchanges.questions).toMatchObject([{ last: 5, to: 40, end: 'done' }]);
  });

  test('is another one in the next session, although its ID is the same', () => {
    const session: EntryBody = { kind: 'session', protocolVersion: '2025-11-25', serverName: 's' };
    const entries = logOf(session, begin('a'), asks('a'), session, begin('b'), asks('b'), answered);
    const { exchanges } = indexOf(entries);
    expect(exchanges.questions).toMatchObject([
      { requestId: '0', callId: 'a', first: 3, last: 6, end: 'expired' },
      { requestId: '0', callId: 'b', first: 6, last: 7, end: 'done' },
    ]);
    const [, , first, , , , answer] = entries;
    const rolesOf = (one: Entry | undefined) => one && linksOf(one, exchanges).links.map(({ seq }) => seq);
    expect(rolesOf(first)).toEqual([2, 6]);
    expect(rolesOf(answer)).toEqual([5, 6]);
  });

  test('that is sent twice in one session is one', () => {
    expect(indexOf(logOf(begin('a'), asks('a'), asks('a'), answered)).exchanges.questions).toMatchObject([
      { first: 2, last: 4, end: 'done' },
    ]);
  });

  test('is drawn where the log begins in the middle of its call', () => {
    expect(indexOf(logOf(asks('a'), answered)).exchanges.questions).toMatchObject([
      { callId: 'a', first: 1, last: 2, end: 'done' },
    ]);
  });
});

describe('a call', () => {
  const task = (status: string, more = {}) => ({ taskId: 't', status, ttlMs: null, ...more });
  const notifies = (params: object): EntryBody => ({
    kind: 'received',
    stream: 'listen',
    method: 'notifications/tasks',
    raw: message({ method: 'notifications/tasks', params }),
  });

  test.each([
    ['done', task('completed', { result: { content: [] } })],
    ['failed', task('completed', { result: { content: [], isError: true } })],
    ['failed', task('failed', { error: { code: 1, message: 'x' } })],
    ['cancelled', task('cancelled')],
  ])('whose task ends by notification is %s', (end, params) => {
    const working = responds('a', { resultType: 'task', ...task('working') });
    const log = indexOf(logOf(begin('a', { era: 'stateless' }), working, notifies(params)));
    expect(log.exchanges.calls.get('a')).toMatchObject({ last: 3, to: 20, end });
  });

  test('that was lost and gets its result after all is done', () => {
    const lost: EntryBody = { kind: 'call', callId: 'a', change: { name: 'lost', reason: recorded('x') } };
    const log = indexOf(logOf(begin('a'), lost, responds('a', { content: [] })));
    expect(log.exchanges.calls.get('a')).toMatchObject({ result: 3, last: 3, to: 20, end: 'done' });
  });
});

test('a request ends with its page', () => {
  const list = message({ id: 'list', method: 'tools/list' });
  const log = indexOf([
    ...logOf({ kind: 'sent', stream: 'list', method: 'tools/list', raw: list }),
    entryOf(2, 500, 2, { kind: 'load', reason: 'opened' }),
  ]);
  expect(log.exchanges.requests.get('list')).toMatchObject({ end: 'lost', to: 0 });
});

describe('recorded from targets', () => {
  test.each([
    'resumable',
    'sse',
    'modern',
    'tasks-2025',
    'modern-tasks',
    'over-replay',
    'polling',
    'late-result',
  ])('%s: the timeline and the state agree at every entry', async (profile) => {
    const state = new ServerReducer('s');
    const log = new LogIndex();
    for (const one of await recordedLog(profile)) {
      foldStored(state, [one]);
      log.add([one]);
      const open = [...log.exchanges.calls.values()].filter(({ end }) => end === 'open');
      expect(open.map(({ callId }) => callId)).toEqual(
        [...state.calls.values()].filter(isOpen).map(({ id }) => id),
      );
      const asked = log.exchanges.questions.filter(({ end }) => end === 'open');
      expect(asked.map(({ requestId }) => requestId)).toEqual([...state.questions.keys()]);
    }
  });

  test('resumable: both questions with the ID 0 are drawn, one for each session', async () => {
    const { exchanges } = indexOf(await recordedLog('resumable'));
    const zeros = exchanges.questions.filter(({ requestId }) => requestId === '0');
    expect(zeros).toMatchObject([{ end: 'done' }, { end: 'done' }]);
    expect(zeros[0]?.callId).not.toBe(zeros[1]?.callId);
  });

  test('resumable: what was cancelled or expired with its call waits no more', async () => {
    const log = indexOf(await recordedLog('resumable'));
    expect(log.exchanges.questions.map(({ end }) => end)).toContain('expired');
    expect(stateAt(log, Number.MAX_SAFE_INTEGER).questions).toEqual([]);
  });

  test('modern-tasks: no call is left open', async () => {
    const { exchanges } = indexOf(await recordedLog('modern-tasks'));
    expect([...exchanges.calls.values()].filter(({ end }) => end === 'open')).toEqual([]);
  });

  test('sse: requests end, although their responses come on another stream', async () => {
    const { exchanges } = indexOf(await recordedLog('sse'));
    const lists = [...exchanges.requests.values()].filter(({ label }) => label === 'tools/list');
    expect(lists.map(({ end }) => end)).toContain('done');
  });

  test.each(['resumable', 'sse', 'json'])(
    '%s: the probe that is answered “no” is no error',
    async (profile) => {
      const entries = await recordedLog(profile);
      const log = indexOf(entries);
      const probes = [...log.exchanges.requests.values()].filter(({ label }) => label === 'server/discover');
      expect(probes[0]).toMatchObject({ end: 'no' });
      const http = entries.find(({ seq }) => seq === probes[0]?.http);
      expect(http && describeEntry(http)).toMatchObject({
        label: expect.stringMatching(/POST 4/),
        tone: 'plain',
      });
      expect(log.shapeAt(log.positionOf(http?.seq ?? 0)).isError).toBe(false);
    },
  );

  test('resumable: there is no gap where the second tab took over', async () => {
    const entries = await recordedLog('resumable');
    const { exchanges } = indexOf(entries);
    expect(exchanges.loads.map(({ end }) => end)).toEqual(['left', 'taken-over', 'unseen']);
    expect(gapsOf(exchanges)).toMatchObject([{ isKnown: true }]);
  });
});

test.each([
  ['GET', 405, {}, false],
  ['DELETE', 405, {}, false],
  ['POST', 405, {}, true],
  ['GET', 404, {}, true],
  ['GET', 400, {}, false],
  ['GET', 400, { 'mcp-session-id': 'x' }, true],
  ['POST', 400, { 'mcp-method': 'server/discover' }, false],
  ['POST', 401, { 'mcp-method': 'server/discover' }, true],
  ['POST', 400, { 'mcp-method': 'tools/call' }, true],
  ['POST', 0, { 'mcp-method': 'server/discover' }, true],
])('%s %d with %j: an error is %j', (method, status, requestHeaders, isError) => {
  const http = { stream: 's', url: 'x', durationMs: 1, responseHeaders: {} };
  const log = indexOf(logOf({ kind: 'http', method, status, requestHeaders, ...http }));
  expect(log.shapeAt(0).isError).toBe(isError);
});
