import { expect, test } from 'vitest';
import type { Entry } from '../../log/entry/entry.ts';
import { entryOf, reloadedCall } from '../../timeline/testing/logOf.ts';
import { grouped, ticksOf } from './ticks.ts';

const howOf = (entries: readonly Entry[], total?: number) => ticksOf(entries, total).map(({ how }) => how);

test('tells ticks before a reload, recovered ones and live ones apart, and those that are due', () => {
  expect(howOf(reloadedCall, 4)).toEqual(['before', 'recovered', 'live', 'due']);
});

test('without a reload all of them came before one', () => {
  expect(howOf(reloadedCall.slice(0, 11), 3)).toEqual(['before', 'due', 'due']);
});

test('a tick that was sent twice counts by its first arrival', () => {
  const again = reloadedCall.find(({ seq }) => seq === 11);
  const {
    seq: _,
    at: __,
    load: ___,
    ...body
  } = again ?? entryOf(0, 0, 0, { kind: 'load', reason: 'opened' });
  expect(howOf([...reloadedCall, entryOf(30, 9000, 3, body)], 3)[0]).toBe('before');
});

test('progress without a small whole total has no ticks', () => {
  expect(howOf(reloadedCall)).toEqual([]);
  expect(howOf(reloadedCall, 2.5)).toEqual([]);
  expect(howOf(reloadedCall, 1000)).toEqual([]);
});

test('groups neighbours that are alike', () => {
  expect(grouped(ticksOf(reloadedCall, 5)).map(({ how, ticks }) => [how, ticks.length])).toEqual([
    ['before', 1],
    ['recovered', 1],
    ['live', 1],
    ['due', 2],
  ]);
});
