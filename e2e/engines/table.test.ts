import { expect, test } from 'vitest';
import { drawTable, readRows, withResults } from './table.ts';

const PAGE = 'Before\n\n<!-- results -->\n\nold\n\n<!-- end -->\n\nAfter\n';
const ROWS = [
  {
    row: 'demo',
    cells: new Map([
      ['Chromium 1', 'whole'],
      ['Firefox 2', 'a | b'],
    ]),
  },
  { row: 'burst', cells: new Map([['Chromium 1', '1 s']]) },
];

test('results replace what stands between the marks, and can be read again', () => {
  const page = withResults(PAGE, `Measured.\n\n${drawTable(['Chromium 1', 'Firefox 2'], ROWS)}`);
  expect(page).toMatch(/^Before\n\n<!-- results -->\n\nMeasured\.\n\n\|[^]*<!-- end -->\n\nAfter\n$/);
  expect(readRows(page)).toEqual([
    ROWS[0],
    {
      row: 'burst',
      cells: new Map([
        ['Chromium 1', '1 s'],
        ['Firefox 2', 'not measured'],
      ]),
    },
  ]);
});

test('a page without results has no rows, and one without marks is refused', () => {
  expect(readRows(PAGE)).toEqual([]);
  expect(() => withResults('nothing', '')).toThrow('<!-- results -->');
});
