import { expect, it } from 'vitest';
import { Emitter } from '../base/emitter.ts';
import type { Entry } from '../log/entry/entry.ts';
import { walk, type LogSource } from './logSource.ts';

const entries = (first: number, last: number): Entry[] =>
  Array.from({ length: last - first + 1 }, (_, i) => ({ seq: first + i }) as Entry);

const numbersOf = async (source: LogSource, since?: number): Promise<number[]> => {
  const found: number[] = [];
  for await (const some of walk(source, since)) found.push(...some.map(({ seq }) => seq));
  return found;
};

const numbers = (first: number, last: number) => entries(first, last).map(({ seq }) => seq);

const source = (given: Partial<LogSource>): LogSource => ({
  appended: new Emitter(),
  tail: [],
  stored: [],
  read: (ranges) => Promise.resolve(ranges.map(({ first, last }) => entries(first, last))),
  flushed: () => Promise.resolve(),
  ...given,
});

it('a log is read from storage, and what is not stored yet from memory', async () => {
  const given = source({
    stored: [
      { first: 1, last: 3 },
      { first: 4, last: 6 },
    ],
    tail: entries(5, 9),
  });
  expect(await numbersOf(given)).toEqual(numbers(1, 9));
  expect(await numbersOf(given, 5)).toEqual(numbers(5, 9));
});

it('an entry comes once, also when a tab writes more to the last record while it is read', async () => {
  const given = source({
    stored: [{ first: 1, last: 3 }],
    read: () => Promise.resolve([entries(1, 7)]),
    tail: entries(2, 9),
  });
  expect(await numbersOf(given)).toEqual(numbers(1, 9));
});

it('storage is asked again where memory has let go of entries before they were stored', async () => {
  let stored = [{ first: 1, last: 3 }];
  const given = source({
    tail: entries(6, 8),
    flushed: () => {
      stored = [...stored, { first: 4, last: 6 }];
      return Promise.resolve();
    },
  });
  Object.defineProperty(given, 'stored', { get: () => stored });
  expect(await numbersOf(given)).toEqual(numbers(1, 8));
});
