import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { formOf, LONGEST_FORM, progressIn } from './messageForm.ts';

const CHARS = [
  'a',
  '"',
  '\\',
  '\n',
  '\u0001',
  '{',
  '}',
  ',',
  ':',
  '0',
  '1',
  '-',
  '.',
  'e',
  '+',
  'é',
  '😀',
  ' ',
  '[',
];
const word = fc.array(fc.constantFrom(...CHARS), { maxLength: 5 }).map((chars) => chars.join(''));
const number = fc.oneof(
  fc.integer({ min: -500, max: 500 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    word,
    number,
    fc.constantFrom(true, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(word, tie('value'), { maxKeys: 2 }),
  ),
}));
const message = fc
  .record({
    token: word,
    progress: number,
    more: fc.dictionary(word, value, { maxKeys: 2 }),
    isLog: fc.boolean(),
  })
  .map(({ token, progress, more, isLog }): JsonObject => {
    const params = isLog ? { level: token, data: more } : { progressToken: token, progress, ...more };
    return { jsonrpc: '2.0', method: `notifications/${isLog ? 'message' : 'progress'}`, params };
  });
/** Where, what, and whether a character is put in, taken out, or replaced. */
const damage = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom(...CHARS),
    fc.constantFrom(
      ...([
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const),
    ),
  ),
  { minLength: 1, maxLength: 3 },
);

function damaged(
  text: string,
  changes: readonly (readonly [number, string, readonly [number, number]])[],
): string {
  const chars = Array.from(text);
  for (const [at, char, [out, into]] of changes) {
    chars.splice(at % (chars.length + 1), out, ...(into === 1 ? [char] : []));
  }
  return chars.join('');
}

const paramsOf = (one: JsonObject) => one['params'] as JsonObject;

describe('the form of a message', () => {
  it('is its own, and of a damaged text only if that is JSON with the same method, token and total', () => {
    fc.assert(
      fc.property(message, fc.array(damage, { maxLength: 12 }), (one, damages) => {
        const text = JSON.stringify(one);
        const form = formOf(text, one);
        if (!form) return;
        for (const other of [text, ...damages.map((changes) => damaged(text, changes))]) {
          if (!form.pattern.test(other)) {
            // Exponents are parsed.
            if (other === text) expect(text).toMatch(/\de[-+]?\d|\d{16}/i);
            continue;
          }
          const parsed = JSON.parse(other) as JsonObject;
          expect(Object.keys(parsed)).toEqual(Object.keys(one));
          expect(parsed['method']).toBe(one['method']);
          expect(Object.keys(paramsOf(parsed)).length).toBeLessThanOrEqual(Object.keys(paramsOf(one)).length);
          expect(paramsOf(parsed)['progressToken']).toEqual(paramsOf(one)['progressToken']);
          expect(paramsOf(parsed)['total']).toEqual(paramsOf(one)['total']);
          if (form.progressAt !== undefined) {
            expect(progressIn(other, form)).toBe(paramsOf(parsed)['progress']);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  const progress = (params: object, rest: object = {}) => ({
    method: 'notifications/progress',
    params,
    ...rest,
  });

  it.each([
    ['a request', progress({ progress: 1 }, { id: 1 })],
    ['progress without a number', progress({ progress: '1' })],
    ['progress after words of any length', progress({ message: 'a', progress: 1 })],
    ['another method', { method: 'notifications/tools/list_changed', params: {} }],
    ['a long text', progress({ progress: 1, message: 'x'.repeat(LONGEST_FORM) })],
  ])('is not made of %s', (_, one) => {
    expect(formOf(JSON.stringify(one), one)).toBeUndefined();
  });

  it('is not made of a text that is written in another way', () => {
    const one = progress({ progress: 1 });
    expect(formOf(JSON.stringify(one, null, 1), one)).toBeUndefined();
  });

  it.each(['01', '1.', '.5', '+1', '1e9', '-', '', '"1"', '1 ', 'NaN'])(
    'does not take %s for a number',
    (text) => {
      const one = progress({ progress: 1 });
      const form = formOf(JSON.stringify(one), one);
      expect(form?.pattern.test(JSON.stringify(one).replace('1', text))).toBe(false);
    },
  );

  it('finds the number behind a token, a total and whatever else comes first', () => {
    const params = { progressToken: 'a"b', total: 3, progress: -1.5, message: 'm' };
    const one = { x: { params: { progress: 7 } }, ...progress(params) };
    const text = JSON.stringify(one);
    const form = formOf(text, one);
    expect(form && progressIn(text, form)).toBe(-1.5);
  });
});
