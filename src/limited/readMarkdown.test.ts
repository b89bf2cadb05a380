import { expect, test } from 'vitest';
import { readMarkdown } from './readMarkdown.ts';

test.each([
  ['3000 quotes', '>'.repeat(3000)],
  ['3000 lists', '- '.repeat(3000)],
  ['3000 numbered lists', '1. '.repeat(3000)],
  ['600 nested lists', Array.from({ length: 600 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n')],
  ['50,000 items', '- a\n'.repeat(50_000)],
])('%s are not read as Markdown', (_, text) => {
  expect(readMarkdown(text)).toBeUndefined();
});

test('ordinary nesting is read', () => {
  expect(readMarkdown('> > - a\n> >   - b\n\n```\n        code\n```')).toHaveLength(3);
});
