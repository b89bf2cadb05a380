import { expect, test } from 'vitest';
import { keepText } from './keptText.ts';

function fakeStorage(): Storage {
  const map = new Map<string, string>();
  return {
    length: 0,
    clear: () => map.clear(),
    key: () => null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, text) => void map.set(key, text),
    removeItem: (key) => void map.delete(key),
  };
}

test('keeps a text, and removes it', () => {
  const storage = fakeStorage();
  const kept = keepText(() => storage);
  kept.write('a', 'one');
  expect(keepText(() => storage).read('a')).toBe('one');
  kept.write('a', undefined);
  expect(kept.read('a')).toBeUndefined();
});

test('goes on in memory where the browser blocks storage', () => {
  const kept = keepText(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(kept.read('a')).toBeUndefined();
  kept.write('a', 'one');
  expect(kept.read('a')).toBe('one');
  expect(kept.keys()).toEqual(['a']);
});
