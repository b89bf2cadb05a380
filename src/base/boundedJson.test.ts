import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_DEPTH, parseBounded, TOO_DEEP } from './boundedJson.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

it('leaves JSON of the greatest depth as it is, and its text too', () => {
  const text = `{"a":"[[{\\"","b":${lists(MAX_DEPTH - 1)}}`.padEnd(3 * MAX_DEPTH);
  expect(parseBounded(text)).toEqual({ value: JSON.parse(text), text });
});

it('takes brackets in strings for what they are', () => {
  const text = JSON.stringify({ a: `"\\${'['.repeat(2000)}`, b: '\\'.repeat(2001), c: '{"'.repeat(2000) });
  expect(parseBounded(text).text).toBe(text);
});

it.each([MAX_DEPTH + 1, 5000, 200_000])('cuts %i levels, and what it gives can be printed', (depth) => {
  const { value, text } = parseBounded(`{"id":1,"result":${lists(depth - 1)}}`);
  expect(JSON.stringify(value)).toBe(text);
  expect(text).toBe(
    `{"id":1,"result":${'['.repeat(MAX_DEPTH - 1)}${JSON.stringify(TOO_DEEP)}${']'.repeat(MAX_DEPTH - 1)}}`,
  );
});

it('cuts under a key that names the prototype', () => {
  const text = `${'{"__proto__":'.repeat(MAX_DEPTH)}[]${'}'.repeat(MAX_DEPTH)}`;
  expect(parseBounded(text).text).toContain(TOO_DEEP);
});

it('gives any other JSON as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (json) => {
      const text = json.padEnd(3 * MAX_DEPTH);
      expect(parseBounded(text)).toEqual({ value: JSON.parse(text), text });
    }),
  );
});
