import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Emitter } from '../base/emitter.ts';
import type { Entry } from '../log/entry/entry.ts';
import { EntryBatch } from '../log/entry/entryBatch.ts';
import { EntryPages } from './entryPages.ts';
import { JOBS } from '../limited/jobs.ts';
import type { RunLimited } from '../limited/limitedWorker.ts';
import { Matcher, searchedText } from './filter/matcher.ts';
import { parseQuery, type Query } from './filter/query.ts';
import { LiveIndex } from './liveIndex.ts';
import { LogIndex } from './logIndex.ts';
import { LogSearch } from './logSearch.ts';
import { walk, type LogSource, type StoredRange } from './logSource.ts';
import { SeqList, SeqRange, SeqSlice } from './seqs.ts';
import { entryOf } from './testing/logOf.ts';
import { recorded } from '../log/reasons/reason.ts';

const note = (seq: number): Entry =>
  entryOf(seq, seq, 1, { kind: 'note', level: 'info', reason: recorded(seq % 3 === 0 ? 'fizz' : `n${seq}`) });
const state = (seq: number): Entry => entryOf(seq, seq, 1, { kind: 'state', state: { name: 'idle' } });
const logOf = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const seq = first + i;
    return seq % 5 === 0 ? state(seq) : note(seq);
  });

/** A log of which some is stored in pieces, and some is in memory; both may hold the same. */
class FakeSource implements LogSource {
  readonly appended = new Emitter<EntryBatch>();
  readonly stored: readonly StoredRange[];
  tail: readonly Entry[];
  reads = 0;

  constructor(first: number, storedTo: number, tailFrom: number, last: number, piece: number) {
    const stored: StoredRange[] = [];
    for (let seq = first; seq <= storedTo; seq += piece) {
      stored.push({ first: seq, last: Math.min(storedTo, seq + piece - 1) });
    }
    this.stored = stored;
    this.tail = logOf(tailFrom, last);
  }

  async read(ranges: readonly StoredRange[]): Promise<readonly (readonly Entry[])[]> {
    this.reads += ranges.length;
    return ranges.map((range) => logOf(range.first, range.last));
  }

  flushed(): Promise<void> {
    return Promise.resolve();
  }

  append(entries: readonly Entry[]): void {
    this.tail = [...this.tail, ...entries];
    this.appended.emit(new EntryBatch(entries));
  }
}

const sources = fc
  .record({
    first: fc.integer({ min: 1, max: 20 }),
    stored: fc.nat({ max: 120 }),
    overlap: fc.nat({ max: 30 }),
    more: fc.nat({ max: 20 }),
    piece: fc.integer({ min: 1, max: 17 }),
  })
  .map(({ first, stored, overlap, more, piece }) => {
    const storedTo = first + stored - 1;
    const tailFrom = Math.max(first, storedTo + 1 - overlap);
    return {
      first,
      last: storedTo + more,
      source: new FakeSource(first, storedTo, tailFrom, storedTo + more, piece),
    };
  });

const queryOf = (text: string): Query => {
  const query = parseQuery(text);
  if (!query.ok) throw new Error(query.error.message);
  return query.value;
};

async function collect(chunks: AsyncIterable<readonly Entry[]>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const entries of chunks) seqs.push(...entries.map(({ seq }) => seq));
  return seqs;
}

/** As the worker does it, without one. */
const run: RunLimited = async (name, input) => ({
  name: 'done',
  value: (JOBS[name] as (input: unknown) => never)(input),
});

const listed = (seqs: { length: number; at(i: number): number }) =>
  Array.from({ length: seqs.length }, (_, i) => seqs.at(i));

test('walking through gives every entry once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(sources, fc.nat({ max: 60 }), async ({ source, first, last }, since) => {
      const from = Math.max(first, since);
      expect(await collect(walk(source, since))).toEqual(logOf(from, last).map(({ seq }) => seq));
    }),
  );
});

test('a search finds what a plain filter finds, wherever the entries are', async () => {
  const queries = fc.constantFrom(
    'fizz',
    'kind:note fizz',
    'kind:state',
    '-fizz kind:note',
    'kind:state idle',
    '/n[17]/',
  );
  await fc.assert(
    fc.asyncProperty(sources, queries, async ({ source, first, last }, text) => {
      const index = await new LiveIndex(source).whole();
      const search = new LogSearch(source, index, queryOf(text), run);
      await search.run();
      const matcher = new Matcher(queryOf(text), index);
      const wanted = logOf(first, last)
        .filter((entry, i) => matcher.mayMatch(i) && matcher.matchesWords(searchedText(entry)))
        .filter((entry) => JOBS.matchTexts({ patterns: matcher.patterns, texts: [searchedText(entry)] })[0])
        .map(({ seq }) => seq);
      expect(listed(search.matches)).toEqual(wanted);
      expect(search.progress).toBe(1);
    }),
  );
});

test('a search goes on with what is added, and does not read what cannot match', async () => {
  const source = new FakeSource(1, 100, 90, 100, 10);
  const live = new LiveIndex(source);
  expect(live.isWhole).toBe(false);
  const index = await live.whole();
  source.reads = 0;
  const search = new LogSearch(source, index, queryOf('kind:load word'), run);
  await search.run();
  expect(source.reads).toBe(0);
  const fizz = new LogSearch(source, index, queryOf('kind:note fizz'), run);
  await fizz.run();
  const before = fizz.matches.length;
  source.append(logOf(101, 103));
  await fizz.run();
  expect(fizz.matches.length).toBe(before + 1);
  expect(live.index.length).toBe(103);
});

test('a pattern that takes too long stops the search: it shows nothing, says so, and is not tried again', async () => {
  const source = new FakeSource(1, 100, 90, 100, 10);
  const index = await new LiveIndex(source).whole();
  let tries = 0;
  const search = new LogSearch(source, index, queryOf('kind:note /(a+)+$/'), () => {
    tries += 1;
    return Promise.resolve({ name: 'too-slow' });
  });
  await search.run();
  expect(search.matches.length).toBe(0);
  expect(search.problem).toBe('Not searched: the pattern takes too long. Change it to search again.');
  expect([search.progress, search.isOutdated]).toEqual([1, false]);
  source.append(logOf(101, 103));
  await search.run();
  expect(tries).toBe(1);
});

test('many and long texts cross to the worker in batches, and in order', async () => {
  const long = (seq: number): Entry =>
    entryOf(seq, seq, 1, {
      kind: 'note',
      level: 'info',
      reason: recorded(`${'x'.repeat(90_000)}${seq % 2}`),
    });
  const source = new FakeSource(1, 0, 1, 0, 10);
  const live = new LiveIndex(source);
  source.append(Array.from({ length: 60 }, (_, i) => long(i + 1)));
  const sizes: number[] = [];
  const search = new LogSearch(source, await live.whole(), queryOf('/1"/'), (name, input) => {
    sizes.push(JSON.stringify(input).length);
    return run(name, input);
  });
  await search.run();
  expect(listed(search.matches)).toEqual(Array.from({ length: 30 }, (_, i) => 2 * i + 1));
  expect(sizes.length).toBeGreaterThan(4);
  expect(Math.max(...sizes)).toBeLessThan(1_200_000);
});

test('pages are read when they are wanted, and few are kept', async () => {
  const source = new FakeSource(1, 1000, 990, 1000, 10);
  const pages = new EntryPages(source);
  expect(pages.get(5)).toBeUndefined();
  expect(pages.get(995)?.seq).toBe(995);
  expect(await pages.want([5, 6, 995])).toBe(true);
  expect(source.reads).toBe(1);
  expect(pages.get(5)?.seq).toBe(5);
  expect(await pages.want([1, 10])).toBe(false);
  for (let seq = 20; seq < 900; seq += 10) await pages.want([seq]);
  expect(pages.get(5)).toBeUndefined();
  expect((await pages.entry(5))?.seq).toBe(5);
  expect(await pages.entry(5000)).toBeUndefined();
});

test('lists of numbers agree on where things are', () => {
  const all = new SeqRange(3, 40);
  const some = new SeqList();
  for (let seq = 3; seq <= 40; seq += 4) some.push(seq);
  expect([all.length, all.at(2), all.indexOf(5), all.indexOf(99)]).toEqual([38, 5, 2, 38]);
  expect([some.indexOf(8), some.at(some.indexOf(8))]).toEqual([2, 11]);
  const slice = new SeqSlice(some, 8, 20);
  expect(listed(slice)).toEqual([11, 15, 19]);
  expect([slice.indexOf(15), slice.indexOf(1), slice.indexOf(99)]).toEqual([1, 0, 3]);
  expect(new SeqRange(5, 4).length).toBe(0);
});

test('many entries are few bytes: a million fit where a hundred thousand messages would', () => {
  const index = new LogIndex();
  const entries = Array.from({ length: 10_000 }, (_, i) =>
    entryOf(i + 1, i, 1, {
      kind: 'received',
      stream: 's',
      callId: 's',
      method: 'notifications/progress',
      raw: '{}',
    }),
  );
  index.add(entries);
  expect(index.shapes.length).toBe(1);
  expect(index.alikeUntil(5)).toBe(32);
  expect(index.alikeUntil(9990)).toBe(10_000);
  expect(index.shapesInBlock(320)).toEqual([0]);
});
