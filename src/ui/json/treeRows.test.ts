import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPlaces, openAtFirst, parentsOf, pathText, valueAt, visibleRows } from './treeRows.ts';

const VALUE = { name: 'Ada', tags: ['a', 'b'], 'odd/key': { deep: { er: null } } };
const found = (words: string) => [...findPlaces(VALUE, words)].filter((id) => id !== undefined);

describe('a tree of JSON', () => {
  test('has the rows of what is open', () => {
    const rows = visibleRows(VALUE, new Set(['', '/tags']));
    expect(rows.map(({ id }) => id)).toEqual(['', '/name', '/tags', '/tags/0', '/tags/1', '/odd~1key']);
    expect(rows[2]).toMatchObject({ key: 'tags', level: 2, size: 2, isOpen: true, position: 2, siblings: 3 });
  });

  test('opens as much at first as fits a screen', () => {
    expect([...openAtFirst(VALUE)]).toEqual(['', '/tags', '/odd~1key', '/odd~1key/deep']);
    expect([...openAtFirst(Array.from({ length: 1000 }, () => ({})))]).toEqual(['']);
  });

  test('finds names and values, in order', () => {
    expect(found('A')).toEqual(['/name', '/tags', '/tags/0']);
    expect(found('null')).toEqual(['/odd~1key/deep/er']);
    expect(found('odd/')).toEqual(['/odd~1key']);
    expect(found('nothing')).toEqual([]);
  });

  test('knows the way to a place', () => {
    expect(pathText(VALUE, '/odd~1key/deep/er')).toBe('$["odd/key"].deep.er');
    expect(pathText(VALUE, '/tags/1')).toBe('$.tags[1]');
    expect(parentsOf('/odd~1key/deep/er')).toEqual(['/odd~1key/deep', '/odd~1key', '']);
    expect(parentsOf('')).toEqual([]);
  });

  test('every row leads to its value, whatever the names are', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const all = new Set([...findPlaces(value, '')].filter((id) => id !== undefined));
        for (const row of visibleRows(value, all)) expect(valueAt(value, row.id)).toBe(row.value);
      }),
    );
  });
});
