import { expect, test } from 'vitest';
import { headingSlug } from './headingSlug.ts';
import { FIRST_PAGE, helpPlace, loadHelpPage } from './helpPages.ts';

test('loads a page of the docs, and rejects one that isn’t there', async () => {
  expect(await loadHelpPage(FIRST_PAGE)).toContain('# Documentation');
  await expect(loadHelpPage('nothing.md')).rejects.toThrow('no page nothing.md');
});

test.each([
  ['verify.md', { page: 'verify.md' }],
  ['verify.md#exit-codes', { page: 'verify.md', slug: 'exit-codes' }],
  ['#limits', { page: 'inspect.md', slug: 'limits' }],
  ['public-servers.md', undefined],
  ['../SECURITY.md', undefined],
  ['https://example.org/verify.md', undefined],
  ['', undefined],
])('a link to %j leads to %j', (href, place) => {
  expect(helpPlace(href, 'inspect.md')).toEqual(place);
});

test('a heading has the slug that GitHub gives it', () => {
  expect(headingSlug('Read a failure')).toBe('read-a-failure');
  expect(headingSlug('"Reconnecting … HTTP 409"')).toBe('reconnecting--http-409');
  expect(headingSlug('`/__control`')).toBe('__control');
});
