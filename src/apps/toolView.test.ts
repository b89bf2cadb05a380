import { expect, test } from 'vitest';
import { mayAppCall, viewUriOf } from './toolView.ts';

test.each([
  ['the nested key', { ui: { resourceUri: 'ui://a' } }, 'ui://a'],
  ['the flat key', { 'ui/resourceUri': 'ui://b' }, 'ui://b'],
  [
    'the nested key before the flat one',
    { ui: { resourceUri: 'ui://a' }, 'ui/resourceUri': 'ui://b' },
    'ui://a',
  ],
  ['no key', { ui: { visibility: ['app'] } }, undefined],
  ['a URI of another scheme', { ui: { resourceUri: 'https://a.example' } }, undefined],
  ['what is no text', { ui: { resourceUri: 7 } }, undefined],
])('the view of a tool is read from %s', (_, _meta, uri) => {
  expect(viewUriOf({ _meta })).toBe(uri);
});

test('a tool without metadata has no view', () => {
  expect(viewUriOf({})).toBeUndefined();
  expect(viewUriOf(undefined)).toBeUndefined();
});

test.each([
  [undefined, true],
  [['model', 'app'], true],
  [['app'], true],
  [['model'], false],
  [[], false],
  ['model', true],
])('with the visibility %j, an app may call a tool: %s', (visibility, may) => {
  expect(mayAppCall({ _meta: { ui: { visibility } } })).toBe(may);
});
