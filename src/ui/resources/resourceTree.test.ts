import { describe, expect, it } from 'vitest';
import { resourceTree } from './resourceTree.ts';

const FILES = [
  'file:///srv/logs/a.txt',
  'file:///srv/logs/b.txt',
  'file:///srv/logs/old/c.txt',
  'file:///srv/logs/old/d.txt',
  'file:///srv/notes.md',
  'file:///srv/todo.md',
  'demo://one/x',
  'demo://one/y',
];
const many = (uri: (i: number) => string) => Array.from({ length: 20 }, (_, i) => uri(i));
const words = (all: ReturnType<typeof resourceTree>) =>
  all?.map(
    (row) => `${'  '.repeat(row.depth)}${row.kind === 'folder' ? `${row.name} ${row.count}` : row.key}`,
  );

describe('resourceTree', () => {
  it('has a folder for each part of the URIs, and joins those that hold one other only', () => {
    expect(words(resourceTree(FILES, () => true))).toEqual([
      'file:///srv/ 6',
      '  logs/ 4',
      '    old/ 2',
      '      file:///srv/logs/old/c.txt',
      '      file:///srv/logs/old/d.txt',
      '    file:///srv/logs/a.txt',
      '    file:///srv/logs/b.txt',
      '  file:///srv/notes.md',
      '  file:///srv/todo.md',
      'demo://one/ 2',
      '  demo://one/x',
      '  demo://one/y',
    ]);
  });

  it('leaves out what is in a closed folder', () => {
    expect(words(resourceTree(FILES, (id) => id === 'file:///srv/'))).toEqual([
      'file:///srv/ 6',
      '  logs/ 4',
      '  file:///srv/notes.md',
      '  file:///srv/todo.md',
      'demo://one/ 2',
    ]);
  });

  it('is not made of a few resources', () => {
    expect(resourceTree(FILES.slice(0, 7), () => true)).toBeUndefined();
  });

  it('is not made where all are in one folder, or each in its own', () => {
    expect(
      resourceTree(
        many((i) => `demo://all/${i}`),
        () => true,
      ),
    ).toBeUndefined();
    expect(
      resourceTree(
        many((i) => `demo://${i}/x`),
        () => true,
      ),
    ).toBeUndefined();
  });

  it('puts what is no URI beside the folders', () => {
    const odd = resourceTree([...FILES, 'no uri'], () => false);
    expect(odd?.at(-1)).toEqual({ kind: 'item', key: 'no uri', depth: 0 });
  });
});
