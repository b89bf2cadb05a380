import { expect, test } from 'vitest';
import { contentText } from './appWords.ts';

test.each([
  ['one block', { content: { type: 'text', text: 'Hello' } }, 'Hello'],
  [
    'several blocks',
    { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] },
    'a\nb',
  ],
  ['structured content', { structuredContent: { page: 2 } }, '{"page":2}'],
])('shows %s', (_, params, text) => {
  expect(contentText(JSON.stringify({ params }))).toBe(text);
});

test('what was cut is shown as it is', () => {
  expect(contentText('{"params":{"con')).toBe('{"params":{"con');
});
