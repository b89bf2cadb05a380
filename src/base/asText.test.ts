import { expect, test } from 'vitest';
import { asText } from './asText.ts';

test.each([
  ['text', 'text'],
  [12, '12'],
  [true, 'true'],
  [null, 'null'],
  [undefined, 'undefined'],
  [{ a: [1] }, '{"a":[1]}'],
  [JSON.parse('{"toString":null}'), '{"toString":null}'],
  [[JSON.parse('{"toString":null}')], '[{"toString":null}]'],
])('%j becomes text without a coercion', (value, text) => {
  expect(asText(value)).toBe(text);
});

test('symbols, functions and cycles become text too', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(asText(cycle)).toBe('[…]');
  expect(asText({ toJSON: () => undefined })).toBe('');
  expect(asText(Symbol('a'))).toBe('Symbol(a)');
});
