import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../log/entry/entry.ts';
import { align } from './align.ts';
import { compareCalls, compareEntries, controlOf } from './compare.ts';
import { LogIndex } from './logIndex.ts';
import { CALL, entryOf, reloadedCall } from './testing/logOf.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
const rowsOf = (left: readonly string[], right: readonly string[]) => align(left, right, (word) => word);

test('both sides are there whole and in order, and "same" is said only of what is the same', () => {
  fc.assert(
    fc.property(words, words, (left, right) => {
      const rows = rowsOf(left, right);
      expect(rows.flatMap((row) => row.left ?? [])).toEqual(left);
      expect(rows.flatMap((row) => row.right ?? [])).toEqual(right);
      for (const { left: a, right: b, how } of rows) {
        expect(how).toBe(
          b === undefined ? 'left-only' : a === undefined ? 'right-only' : a === b ? 'same' : 'changed',
        );
      }
    }),
  );
});

test('what was taken out or put in does not shift the rest', () => {
  fc.assert(
    fc.property(words, fc.nat(), (left, n) => {
      if (left.length === 0) return;
      const right = left.toSpliced(n % left.length, 1);
      expect(rowsOf(left, right).filter(({ how }) => how === 'same')).toHaveLength(right.length);
    }),
  );
});

const received = (seq: number, callId: string, message: object, more: object = {}): Entry =>
  entryOf(seq, seq * 100, 1, {
    kind: 'received',
    stream: callId,
    callId,
    raw: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...more,
  });
const tick = (seq: number, callId: string, n: number, more: object = {}) =>
  received(
    seq,
    callId,
    { method: 'notifications/progress', params: { progressToken: callId, progress: n } },
    { method: 'notifications/progress', ...more },
  );

test('two calls that said the same are the same, whatever their ids, times and replays', () => {
  const control = [tick(1, 'one', 1), tick(2, 'one', 2), received(3, 'one', { id: 'one', result: {} })];
  const reloaded = [
    tick(7, 'two', 1),
    tick(9, 'two', 2, { replayed: true }),
    received(11, 'two', { id: 'two', result: {} }),
  ];
  expect(compareCalls(control, reloaded)).toMatchObject({ same: 3, differing: 0 });
  expect(compareCalls(control, reloaded).rows[1]?.right).toMatchObject({ sinceMs: 200 });
  const { rows, differing } = compareCalls(control, reloaded.toSpliced(1, 1));
  expect(differing).toBe(1);
  expect(rows.map(({ how }) => how)).toEqual(['same', 'left-only', 'same']);
});

test('two messages differ by line', () => {
  const rows = compareEntries(tick(1, 'one', 1), tick(2, 'one', 2));
  expect(rows.filter(({ how }) => how !== 'same')).toEqual([
    { left: '    "progress": 1', right: '    "progress": 2', how: 'changed' },
  ]);
});

test('the control of a call is one that no reload has disturbed', () => {
  const index = new LogIndex();
  const begin = (seq: number, callId: string, args: object) =>
    entryOf(seq, 6000 + seq, 2, {
      kind: 'call',
      callId,
      change: { name: 'sending', tool: 'countdown', args, timeoutMs: 1, repeatable: true },
    });
  index.add([
    ...reloadedCall,
    begin(30, 'quiet', { ticks: 3 }),
    received(31, 'quiet', { id: 'quiet', result: {} }),
    begin(32, 'other', { ticks: 4 }),
    received(33, 'other', { id: 'other', result: {} }),
  ]);
  const { exchanges } = index;
  const reloaded = exchanges.calls.get(CALL);
  const quiet = exchanges.calls.get('quiet');
  if (!reloaded || !quiet) throw new Error('Both calls are in the log.');
  expect(controlOf(reloaded, exchanges)).toBe(quiet);
  expect(controlOf(quiet, exchanges)).toBeUndefined();
});
