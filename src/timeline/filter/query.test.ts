import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEYS, parseQuery, printQuery, type Query, type Term } from './query.ts';

const parsed = (text: string): Query => {
  const result = parseQuery(text);
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`);
  return result.value;
};

const problem = (text: string) => {
  const result = parseQuery(text);
  return result.ok ? undefined : result.error;
};

test('reads every kind of term', () => {
  expect(
    parsed(
      'method:progress -kind:http,note dur:>0.5s size:<=10k status:4xx word "two words" -/a b\\/c/i load:2',
    ),
  ).toEqual([
    { type: 'is', key: 'method', values: ['progress'], not: false },
    { type: 'is', key: 'kind', values: ['http', 'note'], not: true },
    { type: 'compares', key: 'dur', by: '>', value: 500, not: false },
    { type: 'compares', key: 'size', by: '<=', value: 10_000, not: false },
    { type: 'is', key: 'status', values: ['4xx'], not: false },
    { type: 'text', text: 'word', not: false },
    { type: 'text', text: 'two words', not: false },
    { type: 'regex', source: 'a b\\/c', flags: 'i', not: true },
    { type: 'compares', key: 'load', by: '=', value: 2, not: false },
  ]);
});

test.each([
  ['a/b', 'a/b'],
  ['/tmp/file.txt', '/tmp/file.txt'],
  ['-', '-'],
  ['"say \\"hi\\""', 'say "hi"'],
])('%s is text', (text, word) => {
  expect(parsed(text)).toEqual([{ type: 'text', text: word, not: false }]);
});

describe('says what is wrong, and where', () => {
  test.each([
    ['kind:http colour:red', 10, 17, /Unknown filter “colour:”.*kind:/],
    ['kind:', 5, 5, /Enter a value after “kind:”/],
    ['a "b c', 2, 6, /Missing closing quote/],
    ['dur:fast', 4, 8, /needs a number, like dur:>500/],
    ['size:>10x', 5, 9, /needs a number/],
    ['replayed:maybe', 9, 14, /true or false/],
    ['x /(/ y', 2, 5, /Invalid regular expression/],
    ['"a"b', 3, 4, /space after the closing quote/],
  ])('%s', (text, from, to, message) => {
    expect(problem(text)).toMatchObject({ from, to, message: expect.stringMatching(message) });
  });
});

const textTerm = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .map((text) => ({ type: 'text' as const, text }));
const isTerm = fc.record({
  type: fc.constant('is' as const),
  key: fc.constantFrom(...KEYS.filter((key) => !['load', 'status', 'dur', 'size', 'replayed'].includes(key))),
  values: fc.array(
    fc.string({ unit: 'grapheme', minLength: 1 }).map((value) => value.toLowerCase()),
    { minLength: 1, maxLength: 3 },
  ),
});
const compares = fc.record({
  type: fc.constant('compares' as const),
  key: fc.constantFrom('load' as const, 'status' as const, 'dur' as const, 'size' as const),
  by: fc.constantFrom('=' as const, '>' as const, '>=' as const, '<' as const, '<=' as const),
  value: fc.nat({ max: 1_000_000_000 }),
});
const regex = fc.record({
  type: fc.constant('regex' as const),
  source: fc.constantFrom('a+', '^x', 'a b', 'tools\\/call', '[0-9]{3}'),
  flags: fc.constantFrom('', 'i'),
});
const query: fc.Arbitrary<Query> = fc.array(
  fc
    .tuple(fc.oneof(textTerm, isTerm, compares, regex), fc.boolean())
    .map(([one, not]): Term => ({ ...one, not })),
  { maxLength: 6 },
);

test('what is printed is read back as the same query', () => {
  fc.assert(
    fc.property(query, (asked) => {
      expect(parsed(printQuery(asked))).toEqual(asked);
    }),
  );
});

test('any text is read or refused with a place inside it, and what is read survives printing', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('kind:', 'dur:>', '"', '/', '-', ',', '\\', ' ', 'size:1k'),
  );
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (text) => {
        const first = parseQuery(text);
        if (!first.ok) {
          expect(first.error.from).toBeLessThanOrEqual(first.error.to);
          expect(first.error.to).toBeLessThanOrEqual(text.length);
          return;
        }
        expect(parsed(printQuery(first.value))).toEqual(first.value);
      },
    ),
    { numRuns: 500 },
  );
});
