import { expect, test } from 'vitest';
import { parseUriTemplate } from '../../base/uriTemplate.ts';
import { readValues } from './templateValues.ts';

test('what is typed becomes strings, lists and pairs; what is empty is left out', () => {
  const parsed = parseUriTemplate('{a}{b}{/list*}{?pairs*}');
  if (!parsed.ok) throw new Error(parsed.error);
  const values = readValues(parsed.value, { a: 'x=1', b: '', list: 'one\n\ntwo', pairs: 'k=v\nl==' });
  expect(Object.fromEntries(values)).toEqual({ a: 'x=1', list: ['one', 'two'], pairs: { k: 'v', l: '=' } });
});
