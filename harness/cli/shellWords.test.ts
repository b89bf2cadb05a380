import { expect, test } from 'vitest';
import { shellWords } from './shellWords.ts';

test.each([
  ['node server.js', ['node', 'server.js']],
  ['  npx   -y  x ', ['npx', '-y', 'x']],
  [`node 'my server.js' "a \\"b\\""`, ['node', 'my server.js', 'a "b"']],
  ['a\\ b c', ['a b', 'c']],
  [`--name='x y'`, ['--name=x y']],
  [`a '' b`, ['a', '', 'b']],
])('%s', (text, words) => {
  expect(shellWords(text)).toEqual(words);
});

test.each(['', '  '])('no command: %j', (text) => {
  expect(() => shellWords(text)).toThrow('--stdio requires a command');
});

test('a quotation mark without an end', () => {
  expect(() => shellWords(`node 'a b`)).toThrow("A quotation mark (') has no end");
});
