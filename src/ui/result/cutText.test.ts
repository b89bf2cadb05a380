import { expect, test } from 'vitest';
import { splitText } from './cutText.ts';

test.each([
  ['', []],
  ['short', ['short']],
  ['one\ntwo\nthree', ['one\ntwo\n', 'three']],
  ['x'.repeat(20), ['x'.repeat(8), 'x'.repeat(8), 'xxxx']],
  [`${'x'.repeat(7)}😀y`, [`${'x'.repeat(7)}😀`, 'y']],
])('%j is cut into %j', (text, parts) => {
  expect(splitText(text, 8)).toEqual(parts);
  expect(parts.join('')).toBe(text);
});
