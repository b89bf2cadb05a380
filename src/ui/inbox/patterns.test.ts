import { expect, test } from 'vitest';
import { checkValue } from '../../limited/checkValue.ts';
import { patternsOf } from './patterns.ts';

const ZIP = { type: 'string', pattern: '^\\d{5}$', minLength: 9 };

test.each([
  ['at the top', { properties: { zip: ZIP } }, { zip: 'x' }, '/zip'],
  ['in an object', { properties: { at: { properties: { zip: ZIP } } } }, { at: { zip: 'x' } }, '/at/zip'],
  ['in a list', { properties: { zips: { items: ZIP } } }, { zips: ['12345', 'x'] }, '/zips/1'],
  [
    'behind a reference',
    { properties: { zip: { $ref: '#/$defs/zip' } }, $defs: { zip: ZIP } },
    { zip: 'x' },
    '/zip',
  ],
  ['in every alternative', { properties: { zip: { oneOf: [ZIP, ZIP] } } }, { zip: 'x' }, '/zip'],
  ['of other members', { additionalProperties: ZIP }, { any: 'x' }, '/any'],
])('a pattern %s is checked', (_, schema, value, pointer) => {
  const patterns = patternsOf({ type: 'object', required: ['missing'], ...schema });
  expect(checkValue(patterns, value)).toMatchObject({
    name: 'complains',
    complaints: expect.arrayContaining([{ pointer, message: 'Must match ^\\d{5}$' }]),
  });
  const right = JSON.parse(JSON.stringify(value).replaceAll('"x"', '"54321"')) as object;
  expect(checkValue(patterns, right)).toEqual({ name: 'fits' });
});

test('without a pattern there is nothing to check, also where a property is named so', () => {
  expect(patternsOf({ properties: { pattern: { type: 'string', minLength: 3 } } })).toBeUndefined();
  expect(patternsOf(undefined)).toBeUndefined();
  expect(patternsOf({ properties: { a: { anyOf: [{ pattern: '^b' }, {}] } } })).toBeDefined();
});
