import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prettyJson, prettyText } from './prettyJson.ts';

describe('prettyJson', () => {
  test.each([
    [{ ticks: [1, 2, 3] }, '{ "ticks": [1, 2, 3] }'],
    [[], '[]'],
    [{}, '{}'],
    [null, 'null'],
    [{ a: { b: { c: 1 } } }, '{\n  "a": { "b": { "c": 1 } }\n}'],
    [['x'.repeat(50), 'y'.repeat(50)], `[\n  "${'x'.repeat(50)}",\n  "${'y'.repeat(50)}"\n]`],
  ])('%j', (value, text) => {
    expect(prettyJson(value)).toBe(text);
  });

  test('says the same as what it was given', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (json) => {
        expect(JSON.parse(prettyJson(JSON.parse(json)))).toEqual(JSON.parse(json));
      }),
    );
  });
});

test('JSON in a text gets line breaks; anything else stays as it is', () => {
  expect(prettyText('{"a":[1]}')).toBe('{ "a": [1] }');
  expect(prettyText('{not json')).toBe('{not json');
  expect(prettyText('1 2 3')).toBe('1 2 3');
});
