import { describe, expect, test } from 'vitest';
import { cellText, tableOf } from './tableOf.ts';

describe('tableOf', () => {
  test('a list of objects, with every column that occurs', () => {
    expect(tableOf([{ a: 1 }, { b: 2 }])).toMatchObject({ columns: ['a', 'b'], rows: [{ a: 1 }, { b: 2 }] });
  });

  test('the only list in a flat object', () => {
    expect(tableOf({ total: 2, items: [{ a: 1 }] })).toMatchObject({ from: 'items', rest: [['total', 2]] });
  });

  test.each([
    ['a list of numbers', [1, 2]],
    ['a mixed list', [{ a: 1 }, 2]],
    ['an empty list', []],
    ['two lists', { a: [{ x: 1 }], b: [{ x: 1 }] }],
    ['a list beside an object', { a: [{ x: 1 }], b: { c: 1 } }],
    ['a word', 'x'],
    ['empty objects', [{}]],
  ])('%s is no table', (_what, value) => {
    expect(tableOf(value)).toBeUndefined();
  });

  test('a cell is one line', () => {
    expect(cellText({ a: [1] })).toBe('{"a":[1]}');
    expect(cellText(undefined)).toBe('');
    expect(cellText('x'.repeat(300))).toHaveLength(201);
  });
});
