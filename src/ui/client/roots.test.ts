import { expect, test } from 'vitest';
import { readRoot } from './roots.ts';

test('a path is a file address', () => {
  expect(readRoot(' /home/me/a b ', ' A ')).toEqual({
    ok: true,
    value: { uri: 'file:///home/me/a%20b', name: 'A' },
  });
  expect(readRoot('file:///x', '')).toEqual({ ok: true, value: { uri: 'file:///x' } });
});

test.each(['', 'http://x', 'home/me', 'javascript:alert(1)'])('%j is not a root', (uri) => {
  expect(readRoot(uri, '')).toMatchObject({ ok: false });
});
