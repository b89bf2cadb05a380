import { expect, test } from 'vitest';
import { gapsOf, layOut, rememberLayout } from './lanes.ts';
import { linksOf } from './links.ts';
import { LogIndex } from './logIndex.ts';
import { stateAt } from './stateAt.ts';
import { CALL, entryOf, LIST, reloadedCall } from './testing/logOf.ts';

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
  expect(exchanges.questions.get('7')).toMatchObject({ first: 19, last: 20, end: 'done', callId: CALL });
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
    entryOf(2, 5, 1, { kind: 'call', callId: 'one', change: { name: 'lost', why: 'Gone.' } }),
    sending('two', 9, 3),
  ]);
  expect(log.exchanges.calls.get('one')).toMatchObject({ end: 'lost', to: 5 });
  const links = (seq: number, callId: string, at: number) =>
    linksOf(sending(callId, at, seq), log.exchanges).links;
  expect(links(1, 'one', 1)).toContainEqual({ seq: 3, role: 'next try' });
  expect(links(3, 'two', 9)).toContainEqual({ seq: 1, role: 'first try' });
});

test('lays out a lane for the page, the connection, each call, and whatever else there is', () => {
  const { lanes, lanesOf } = layOut(index);
  expect(lanes.map(({ id }) => id)).toEqual([
    'page',
    'connection',
    `call/${CALL}`,
    'questions',
    'requests',
    'storage',
    'errors',
  ]);
  expect(lanes[2]?.label).toBe('countdown ·0AAA');
  expect(lanes[2]?.bars.map(({ role, span }) => [role, span.end])).toEqual([
    ['whole', 'done'],
    ['carried', 'lost'],
    ['carried', 'failed'],
    ['carried', 'done'],
  ]);
  const rows = (seq: number) => lanesOf(index.shapeAt(index.positionOf(seq))).map((row) => lanes[row]?.id);
  expect(rows(11)).toEqual([`call/${CALL}`]);
  expect(rows(14)).toEqual([`call/${CALL}`, 'errors']);
  expect(rows(19)).toEqual(['questions']);
  expect(rows(5)).toEqual(['requests']);
});

test('lays out again only when there is something else to lay out', () => {
  const log = new LogIndex();
  log.add(reloadedCall.slice(0, 11));
  const layOutAgain = rememberLayout();
  const lanes = layOutAgain(log);
  log.add([{ ...entry(11), seq: 12 }]);
  expect(layOutAgain(log)).toBe(lanes);
  // Another span of a shape that is known.
  log.add([{ ...entry(7), seq: 13, at: 3000 }]);
  expect(layOutAgain(log).lanes[1]?.bars).toHaveLength(3);
  log.add(reloadedCall);
  expect(layOutAgain(log).lanes.map(({ id }) => id)).toContain('questions');
});

test('tasks, auth, storage and errors have lanes of their own, once there is something in them', () => {
  const log = new LogIndex();
  log.add([
    entryOf(1, 1, 1, { kind: 'load', reason: 'opened' }),
    entryOf(2, 2, 1, { kind: 'note', level: 'warn', text: 'The disk is full.' }),
    entryOf(3, 3, 1, { kind: 'auth', step: 'login' }),
    entryOf(4, 4, 1, { kind: 'sent', stream: 's', method: 'tasks/get', raw: '{}' }),
  ]);
  const { lanes, lanesOf } = layOut(log);
  const rows = [1, 2, 3].map((i) => lanesOf(log.shapeAt(i)).map((row) => lanes[row]?.id));
  expect(rows).toEqual([['storage', 'errors'], ['auth'], ['tasks']]);
  expect(lanes.at(-4)?.bars).toMatchObject([{ role: 'whole', span: { label: 'tasks/get', end: 'open' } }]);
});

test('calls beyond forty share one lane', () => {
  const log = new LogIndex();
  log.add(
    Array.from({ length: 45 }, (_, i) =>
      entryOf(i + 1, i, 1, {
        kind: 'call',
        callId: `call-${i}`,
        change: { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: true },
      }),
    ),
  );
  const { lanes, lanesOf } = layOut(log);
  expect(lanes.filter(({ kind }) => kind === 'calls')).toHaveLength(41);
  expect(lanes[lanesOf(log.shapeAt(0))[0] ?? -1]?.label).toBe('5 earlier calls');
});

test('links a request, its streams, its resume, its question and its result', () => {
  const { links, callId } = linksOf(entry(11), exchanges);
  expect(callId).toBe(CALL);
  expect(links.map(({ seq, role }) => `${seq} ${role}`)).toEqual([
    '8 intent to call',
    '9 request',
    '10 POST 200',
    '14 GET 409',
    '15 resume 200 from event e1',
    '19 question',
    '20 answer',
    '23 result',
    '24 end of its stream',
  ]);
  expect(linksOf(entry(21), exchanges).links.map(({ role }) => role)).toEqual(['question', 'answer']);
  expect(linksOf(entry(5), exchanges).links.map(({ role }) => role)).toEqual([
    'request',
    'POST 200',
    'end of its stream',
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
  log.add([entryOf(26, 10, 2, { kind: 'note', level: 'info', text: 'the clock was set back' })]);
  expect(log.length).toBe(26);
  expect(log.timeAt(25)).toBe(5300);
  expect(log.positionAt(5300)).toBe(24);
});
