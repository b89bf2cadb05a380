import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from './visible.ts';

const of = (...codes: readonly number[]) => String.fromCodePoint(...codes);

test.each([
  ['a right-to-left override', `safe${of(0x202e)}fdp.exe`, 'safe‹U+202E›fdp.exe'],
  ['an isolate', `${of(0x2066)}a${of(0x2069)}`, '‹U+2066›a‹U+2069›'],
  ['direction marks', of(0x200e, 0x200f, 0x061c), '‹U+200E›‹U+200F›‹U+061C›'],
  ['a zero width space', `pay${of(0x200b)}pal`, 'pay‹U+200B›pal'],
  ['a joiner between letters', `a${of(0x200d)}b`, 'a‹U+200D›b'],
  ['a word joiner', `a${of(0x2060)}b`, 'a‹U+2060›b'],
  ['a byte order mark', `${of(0xfeff)}a`, '‹U+FEFF›a'],
  ['a soft hyphen', `a${of(0xad)}b`, 'a‹U+00AD›b'],
  ['tags', `a${of(0xe0041, 0xe0042)}`, 'a‹U+E0041›‹U+E0042›'],
  ['variation selectors that can hide bytes', `a${of(0xe0101)}`, 'a‹U+E0101›'],
  ['an escape', `${of(0x1b)}[31mred`, '‹U+001B›[31mred'],
  ['a control of C1', `a${of(0x9b)}`, 'a‹U+009B›'],
  ['a line separator', `a${of(0x2028)}b`, 'a‹U+2028›b'],
  ['a carriage return alone', 'a\rb', 'a‹U+000D›b'],
  ['many of one', `a${of(0x200b).repeat(5000)}b`, 'a‹U+200B ×5000›b'],
])('%s is marked', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each([
  ['plain text', 'A name, with words.'],
  ['tabs and line breaks', 'a\tb\nc\r\nd'],
  ['text of right-to-left scripts', 'שלום مرحبا'],
  ['emoji of several parts', '👩‍💻 🏳️‍🌈 👩🏽‍🚀 👨‍👩‍👧‍👦 ❤️‍🔥'],
  ['accents and CJK', 'é ñ 漢字 한국어'],
])('%s stays as it is', (_, text) => {
  expect(visible(text)).toBe(text);
});

const UNIT = fc.oneof(
  fc.integer({ min: 0x2000, max: 0x206f }).map((code) => of(code)),
  fc.integer({ min: 0xe0000, max: 0xe01ef }).map((code) => of(code)),
  fc.constantFrom('👩', '💻', of(0x200d), of(0xfe0f), of(0xfeff), of(0x61c), '\r', '\n', 'a', '\uD800'),
);

test('nothing that is drawn can reorder or hide text', () => {
  const unseen = /[\u061C\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;
  fc.assert(
    fc.property(fc.string({ unit: UNIT, maxLength: 60 }), (text) => {
      expect(visible(text)).not.toMatch(unseen);
      expect(visible(visible(text))).toBe(visible(text));
    }),
  );
});
