import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry, EntryBody } from '../../log/entry/entry.ts';
import { LogIndex } from '../logIndex.ts';
import { CALL, entryOf, LIST, reloadedCall } from '../testing/logOf.ts';
import { exchangeRows, isRunning } from './exchangeRows.ts';
import { FoldedScale } from './foldedScale.ts';
import { foldIdle, Folds, merged } from './folds.ts';
import { IdleTimes } from './idle.ts';
import { seqsOfCall } from './seqsOfCall.ts';
import { shownRows, type Wanted } from './shownRows.ts';
import { storyRange } from './storyRange.ts';
import { survivalOf } from './survival.ts';

const indexOf = (entries: readonly Entry[]): LogIndex => {
  const index = new LogIndex();
  index.add(entries);
  return index;
};

const request = (seq: number, at: number, method: string): Entry =>
  entryOf(seq, at, 1, {
    kind: 'sent',
    stream: `s${seq}`,
    method,
    raw: JSON.stringify({ jsonrpc: '2.0', id: `s${seq}`, method }),
  } satisfies EntryBody);

const ALL: Wanted = {
  chip: 'all',
  showsPlumbing: false,
  range: undefined,
  clearedSeq: 0,
  load: undefined,
  matches: undefined,
  earlier: 'folded',
  selected: undefined,
};

describe('the rows of a log', () => {
  test('a call is one row, whatever carried it, and the lists that were read together are one', () => {
    const rows = exchangeRows(indexOf(reloadedCall).exchanges);
    expect(rows.map(({ id, kind }) => [kind, id])).toEqual([
      ['lists', `request/${LIST}`],
      ['call', `call/${CALL}`],
    ]);
    const lists = exchangeRows(
      indexOf([request(1, 0, 'initialize'), request(2, 10, 'tools/list'), request(3, 20, 'prompts/list')])
        .exchanges,
    );
    expect(lists.map(({ kind }) => kind)).toEqual(['plumbing', 'lists']);
  });

  test('lists that were read at different times, or with a read in between, are different rows', () => {
    const { exchanges } = indexOf([
      request(1, 0, 'tools/list'),
      request(2, 10, 'resources/read'),
      request(3, 20, 'tools/list'),
      request(4, 9000, 'tools/list'),
    ]);
    expect(exchangeRows(exchanges).map(({ kind }) => kind)).toEqual(['lists', 'request', 'lists', 'lists']);
  });

  test('what is running stands on top, then the newest', () => {
    const rows = exchangeRows(indexOf([...reloadedCall, request(30, 9000, 'resources/read')]).exchanges);
    expect(shownRows(rows, ALL).map((row) => [row.name, isRunning(row)])).toEqual([
      ['resources/read', true],
      ['countdown', false],
      ['tools/list', false],
    ]);
  });

  test('what ended before the newest twelve is folded into one row, but not what is running, selected or looked for', () => {
    const answer = (seq: number, at: number, stream: string): Entry =>
      entryOf(seq, at, 1, {
        kind: 'received',
        stream,
        raw: JSON.stringify({ jsonrpc: '2.0', id: stream, result: {} }),
      });
    const entries = Array.from({ length: 20 }, (_, i) => [
      request(2 * i + 1, 10 * i, 'resources/read'),
      // The second one never ends.
      ...(i === 1 ? [] : [answer(2 * i + 2, 10 * i + 5, `s${2 * i + 1}`)]),
    ]).flat();
    const rows = exchangeRows(indexOf(entries).exchanges);
    const shown = (wanted: Partial<Wanted>) => shownRows(rows, { ...ALL, ...wanted });
    const folded = shown({});
    expect(folded).toHaveLength(1 + 12 + 1);
    expect(folded[0]?.id, 'what is running is on top').toBe('request/s3');
    expect(folded.at(-1)).toMatchObject({ kind: 'earlier', isFolded: true, rows: { length: 7 } });
    expect(shown({ selected: 'request/s1' }).map(({ id }) => id)).toContain('request/s1');
    expect(shown({ earlier: 'shown' })).toHaveLength(20 + 1);
    expect(shown({ matches: () => true })).toHaveLength(20);
    expect(shown({ chip: 'load' })).toHaveLength(20);
  });

  test('chips, a range and clearing each leave out what they say', () => {
    const rows = exchangeRows(
      indexOf([request(1, 0, 'initialize'), ...reloadedCall.map((one) => ({ ...one, seq: one.seq + 1 }))])
        .exchanges,
    );
    const names = (wanted: Partial<Wanted>) => shownRows(rows, { ...ALL, ...wanted }).map(({ name }) => name);
    expect(names({})).toEqual(['countdown', 'tools/list']);
    expect(names({ showsPlumbing: true })).toContain('initialize');
    expect(names({ chip: 'tools' })).toEqual(['countdown']);
    expect(names({ chip: 'errors' })).toEqual([]);
    expect(names({ range: { from: 4000, to: 4100 } })).toEqual(['countdown']);
    expect(names({ clearedSeq: 6 })).toEqual(['countdown']);
    expect(names({ matches: ({ kind }) => kind === 'lists' })).toEqual(['tools/list']);
  });

  test('the entries of a call are found without being read', () => {
    const index = indexOf(reloadedCall);
    const call = index.exchanges.callOf(CALL);
    const seqs = call && seqsOfCall(index, call);
    expect(Array.from({ length: seqs?.length ?? 0 }, (_, i) => seqs?.at(i))).toEqual([
      8, 9, 10, 11, 14, 15, 16, 17, 19, 22, 23, 24,
    ]);
  });
});

describe('what a reload cost', () => {
  test('is told of a call that the server resumed', () => {
    const { exchanges } = indexOf(reloadedCall);
    const call = exchanges.callOf(CALL);
    expect(call && survivalOf(call, exchanges)).toEqual({ reloads: 1, recovered: 1, recoveredInMs: 6 });
  });

  test('is not told where nothing was resumed', () => {
    const { exchanges } = indexOf(reloadedCall.slice(0, 14));
    const call = exchanges.callOf(CALL);
    expect(call && survivalOf(call, exchanges)).toBeUndefined();
  });
});

const folds = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 100, max: 90_000 })), {
    maxLength: 8,
  })
  .map((pairs) => {
    let at = 0;
    return pairs.map(([apart, long]) => {
      const from = at + apart;
      at = from + long;
      return { from, to: at };
    });
  });

describe('folded time', () => {
  test('a moment and its place lead to each other, and the order of moments stays', () => {
    fc.assert(
      fc.property(
        folds,
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 1, max: 5000 }),
        (some, t, ms) => {
          const folded = new Folds(some, ms);
          expect(folded.time(folded.shown(t))).toBeCloseTo(t, 3);
          expect(folded.shown(t + 1)).toBeGreaterThan(folded.shown(t));
        },
      ),
    );
  });

  test('a pause in which nothing runs is folded, and one within a call only if it is long', () => {
    const range = { from: 0, to: 30_000 };
    const idle = { times: [{ from: 1000, to: 18_000 }], unfolded: new Set<number>() };
    expect(foldIdle(range, { ...idle, busy: [] }).folds).toHaveLength(1);
    expect(foldIdle(range, { ...idle, busy: [range] }).folds).toHaveLength(1);
    const ticks = Array.from({ length: 10 }, (_, i) => ({ from: i * 3000, to: i * 3000 + 3000 }));
    expect(foldIdle(range, { times: ticks, busy: [range], unfolded: new Set() }).folds).toHaveLength(0);
    expect(foldIdle(range, { times: ticks, busy: [], unfolded: new Set() }).folds).toHaveLength(10);
    expect(foldIdle(range, { ...idle, busy: [], unfolded: new Set([1000]) }).folds).toHaveLength(0);
  });

  test('a fold of seventeen seconds leaves the width to what happened', () => {
    const range = { from: 0, to: 21_000 };
    const scale = new FoldedScale(
      range,
      1000,
      foldIdle(range, { times: [{ from: 2000, to: 19_000 }], busy: [], unfolded: new Set() }),
    );
    const [fold] = scale.folds.folds;
    expect(fold && scale.x(fold.to) - scale.x(fold.from)).toBeLessThan(70);
    expect(scale.ticks().every((tick) => !scale.folds.at(tick))).toBe(true);
    expect(scale.x(range.to)).toBeCloseTo(1000, 3);
  });

  test('idle times are found in a log that grows', () => {
    const index = new LogIndex();
    const idle = new IdleTimes();
    index.add(reloadedCall.slice(0, 11));
    expect(idle.read(index)).toEqual([]);
    index.add([request(40, 60_000, 'ping')]);
    expect(idle.read(index)).toEqual([{ from: 2100, to: 60_000 }]);
    expect(
      merged([
        { from: 5, to: 9 },
        { from: 1, to: 6 },
        { from: 20, to: 21 },
      ]),
    ).toEqual([
      { from: 1, to: 9 },
      { from: 20, to: 21 },
    ]);
  });
});

test('by itself the picture shows what is running or new; an older call that is selected, alone', () => {
  const entries = Array.from({ length: 20 }, (_, i) => request(i + 1, i * 1000, 'resources/read'));
  const ended = entries.flatMap((one, i) => [
    one,
    entryOf(100 + i, i * 1000 + 50, 1, {
      kind: 'received',
      stream: `s${i + 1}`,
      raw: JSON.stringify({ jsonrpc: '2.0', id: `s${i + 1}`, result: {} }),
    }),
  ]);
  const index = new LogIndex();
  index.add([...ended].sort((a, b) => a.at - b.at).map((one, i) => ({ ...one, seq: i + 1 })));
  const rows = exchangeRows(index.exchanges);
  const extent = { from: 0, to: 20_000 };
  expect(storyRange(rows, undefined, extent).from).toBeGreaterThan(7000);
  const picked = storyRange(rows, rows[2]?.id, extent);
  expect([Math.round(picked.from), Math.round(picked.to)]).toEqual([1999, 2052]);
});
