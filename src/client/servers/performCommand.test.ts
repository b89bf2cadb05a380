import { expect, it } from 'vitest';
import { asPrimitive } from './performCommand.ts';

it.each([
  ['resources/read', { uri: 'a:b' }, { does: 'read', uri: 'a:b' }],
  ['prompts/get', { name: 'p' }, { does: 'prompt', prompt: 'p', args: {} }],
  ['prompts/get', { name: 'p', arguments: { a: 'b' } }, { does: 'prompt', prompt: 'p', args: { a: 'b' } }],
  ['prompts/get', { name: 'p', arguments: { a: 1 } }, undefined],
  ['resources/read', { uri: 'a:b', _meta: {} }, undefined],
  ['resources/read', {}, undefined],
  ['tools/list', {}, undefined],
])('%s with %j can be asked about as %j', (method, params, primitive) => {
  expect(asPrimitive(method, params)).toEqual(primitive);
});
