import { expect, test } from 'vitest';
import { formatOf } from './textFormat.ts';

test.each([
  ['{"a": 1}', '', 'json'],
  [' [1]', '', 'json'],
  ['{not json', '', 'plain'],
  ['# Title', '', 'markdown'],
  ['some **bold** words', '', 'markdown'],
  ['- one\n- two', '', 'markdown'],
  ['see [this](https://a/)', '', 'markdown'],
  ['| a |\n|---|\n| 1 |', '', 'markdown'],
  ['plain', 'text/markdown', 'markdown'],
  ['# comment\nx = 1', 'text/x-python', 'plain'],
  ['1 2 3', '', 'plain'],
  ['#channel - hello', '', 'plain'],
  [`# ${'x'.repeat(300_000)}`, '', 'plain'],
  [`[${'"x",'.repeat(300_000)}1]`, '', 'json'],
])('%.20s of type “%s” is %s', (text, mimeType, format) => {
  expect(formatOf(text, mimeType)).toBe(format);
});
