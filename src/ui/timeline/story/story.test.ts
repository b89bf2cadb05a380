import { expect, test } from 'vitest';
import type { Call } from '../../../log/state/call.ts';
import { LogIndex } from '../../../timeline/logIndex.ts';
import { exchangeRows } from '../../../timeline/story/exchangeRows.ts';
import { CALL, reloadedCall } from '../../../timeline/testing/logOf.ts';
import { clockLabel } from './clockLabel.ts';
import { fanOut } from './fanOut.ts';
import { argumentsOf, describeRow, nameOf } from './rowWords.ts';
import { pickRow, stepRow } from './stepRow.ts';

const index = new LogIndex();
index.add(reloadedCall);
const [lists, call] = exchangeRows(index.exchanges);

test('missed events that came at once stand side by side, closer where there is little room', () => {
  const fan = { start: 100, end: 100, size: 1, room: 500, within: { from: 60, to: 900 } };
  expect(fanOut({ ...fan, count: 3 })).toEqual([100, 111, 122]);
  expect(fanOut({ ...fan, count: 4, room: 32 })).toEqual([100, 108, 116, 124]);
  expect(fanOut({ ...fan, count: 5000 })).toBeUndefined();
});

test('missed events never stand outside of the bar of their call', () => {
  const fan = { start: 100, end: 100, size: 1, room: 500 };
  expect(fanOut({ ...fan, count: 3, within: { from: 60, to: 110 } })).toEqual([88, 99, 110]);
  expect(fanOut({ ...fan, count: 6, within: { from: 70, to: 110 } })).toEqual([70, 78, 86, 94, 102, 110]);
  expect(fanOut({ ...fan, count: 9, within: { from: 70, to: 110 } })).toBeUndefined();
});

test('a row says what was asked, with which arguments, and how it stands', () => {
  if (!lists || !call) throw new Error('There are two rows.');
  expect([nameOf(lists), argumentsOf(lists, undefined)]).toEqual(['tools/list', 'tools']);
  expect([nameOf(call), argumentsOf(call, undefined)]).toEqual(['countdown', '{ticks: 3}']);
  expect(describeRow(call, undefined, 0)).toEqual({ sign: 'done', state: 'done', status: '3.2 s' });
  const running = { id: CALL, name: 'open', progress: { progress: 2, total: 3 }, startedAt: 0 } as Call;
  expect(describeRow(call, running, 0)).toEqual({ sign: 'running', state: 'running', status: '2/3' });
  const asked = { ...running, name: 'needs-input' } as Call;
  expect(describeRow(call, asked, 0).status).toBe('needs input');
});

test('the clock is written in full where the minute is new, else only what changes', () => {
  const at = new Date(2026, 10, 17, 14, 2, 26).getTime();
  expect(clockLabel(at, undefined, 2000)).toBe('14:02:26');
  expect(clockLabel(at + 2000, at, 2000)).toBe(':28');
  expect(clockLabel(at + 500, at, 500)).toBe(':26.5');
  expect(clockLabel(at + 34_000, at, 60_000)).toBe('14:03');
});

test('a key that leads into folded rows shows them and selects the newest; a click only shows them', () => {
  if (!lists || !call) throw new Error('There are two rows.');
  const earlier = { ...lists, id: 'earlier', kind: 'earlier', rows: [lists], spans: [] } as const;
  const done: unknown[] = [];
  const server = {
    selection: { pickRow: (id: string) => done.push(id) },
    timeline: { change: (change: object) => done.push(change) },
  };
  const folded = { ...earlier, isFolded: true };
  const led = stepRow([call, folded], call.id, 1);
  expect(led).toBe(folded);
  pickRow(server, folded, 'key');
  pickRow(server, folded, 'pointer');
  expect(done).toEqual([{ earlier: 'shown' }, lists.id, { earlier: 'shown' }]);
  const heading = { ...earlier, isFolded: false };
  expect(stepRow([call, heading, lists], call.id, 1), 'a heading is passed over').toBe(lists);
  expect(stepRow([call, heading, lists], lists.id, -1)).toBe(call);
});
