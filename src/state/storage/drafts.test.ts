import { expect, test } from 'vitest';
import { Drafts } from './drafts.ts';
import { keepText } from './keptText.ts';

const kept = () =>
  keepText(() => {
    throw new Error('memory only');
  });
const DRAFT = { mode: 'form', values: { ticks: '1' }, json: '' } as const;

test('gives back what was half typed', () => {
  const drafts = new Drafts(kept());
  drafts.write('a', DRAFT);
  expect(drafts.read('a')).toEqual(DRAFT);
  drafts.write('a', undefined);
  expect(drafts.read('a')).toBeUndefined();
});

test.each(['{', '[]', '{"mode":"odd","values":{}}', '{"mode":"form"}'])('passes over %s', (text) => {
  const texts = kept();
  texts.write('reprise.draft/a', text);
  expect(new Drafts(texts).read('a')).toBeUndefined();
});

test('does not keep what is too big', () => {
  const drafts = new Drafts(kept());
  drafts.write('a', { ...DRAFT, json: 'x'.repeat(300_000) });
  expect(drafts.read('a')).toBeUndefined();
});
