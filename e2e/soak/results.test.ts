import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appendResult, readResults, type Result } from './results.ts';
import { rangesOf, replaceTable, tableOf, tellTables } from './table.ts';

const result = (seed: number, change: Partial<Result> = {}): Result => ({
  seed,
  server: 'resumable',
  deaths: ['reload'],
  faults: [],
  fates: { whole: 2 },
  openAtDeath: 1,
  returnMs: [seed],
  pageErrors: 0,
  problems: [],
  tookMs: 1000,
  browser: 'Chromium 1',
  code: 'abc',
  ...change,
});

it('makes the same table of any slices in any order', () => {
  const all = Array.from({ length: 20 }, (_, i) => result(i + 1, { fates: { whole: i, blind: 1 } }));
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: 20 }), (shuffled) => {
      expect(tableOf(shuffled)).toEqual(tableOf(all));
    }),
  );
});

it('counts a seed once, by its last result', () => {
  const table = tableOf([result(1, { fates: { lost: 1 } }), result(1), result(2)]);
  expect(table).toMatchObject({ trials: 2, seeds: '1–2', lost: 0, whole: 4, deaths: 2 });
});

it('has the median and the worst time to return, and the share of blind windows', () => {
  const results = [10, 20, 900].map((ms, i) =>
    result(i, { returnMs: [ms], fates: { blind: i === 0 ? 1 : 0 } }),
  );
  expect(tableOf(results)).toMatchObject({ medianReturnMs: 20, worstReturnMs: 900, blindShare: 1 / 3 });
});

it('has a column for each engine, in the place of the table that a page has', () => {
  const tables = [
    tableOf([result(1, { code: 'old' }), result(2), result(3)]),
    tableOf([result(1, { browser: 'Firefox 2' })]),
  ];
  const page = replaceTable('a\n<!-- results -->\nold\n<!-- end -->\nb', tellTables(tables));
  expect(page).toContain('| browser | Chromium 1 | Firefox 2 |');
  expect(page).toContain('| commit | old (1), abc (2) | abc |');
  expect(page).toContain('| trials | 3 | 1 |');
  expect(page).toMatch(/^a\n<!-- results -->\n\n\|[^]*\|\n\n<!-- end -->\nb$/);
  expect(() => replaceTable('no place', '')).toThrow('no place for results');
});

it('names seeds as ranges', () => {
  expect(rangesOf([3, 1, 2, 7, 9, 8, 7])).toBe('1–3, 7–9');
});

it('reads what it has appended, and leaves half a line out', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'reprise-soak-test-')), 'results.jsonl');
  expect(await readResults(file)).toEqual([]);
  await appendResult(file, result(1));
  await appendResult(file, result(2));
  const kept = await readResults(file);
  expect(kept.map(({ seed }) => seed)).toEqual([1, 2]);
  await writeFile(file, '{"seed":3,', { flag: 'a' });
  expect(await readResults(file)).toEqual(kept);
});
