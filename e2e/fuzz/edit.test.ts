import { expect, it } from 'vitest';
import { allEdits, editedText, placesOf } from './edit.ts';
import { ODD_NAMES } from './odd.ts';
import { SAMPLES } from './script.ts';

const message = { a: [1, { 'b/c': 'x' }] };

it('names every place', () => {
  expect(placesOf(message)).toEqual(['', '/a', '/a/0', '/a/1', '/a/1/b~1c']);
});

it('changes one place and leaves the sample as it is', () => {
  expect(editedText(message, [{ at: '/a/1/b~1c', odd: 'no toString' }])).toBe(
    '{"a":[1,{"b/c":{"toString":null}}]}',
  );
  expect(editedText(message, [{ at: '/a/0', odd: 'missing' }])).toBe('{"a":[{"b/c":"x"}]}');
  expect(message.a).toHaveLength(2);
});

it('passes over a place that another edit has removed', () => {
  const edits = [{ at: '/a', odd: 'missing' } as const, { at: '/a/0', odd: 'null' } as const];
  expect(editedText(message, edits)).toBe('{}');
});

it('writes JSON for every edit, and almost always another one', () => {
  const sample = SAMPLES['message cancelled'];
  const good = JSON.stringify(sample);
  const texts = [...allEdits(sample)].map((edit) => editedText(sample, [edit]));
  for (const text of texts) JSON.parse(text);
  expect(texts.filter((text) => text === good).length).toBeLessThan(ODD_NAMES.length / 10);
});

it('leaves the odd values as they are, also where a second edit reaches into the first one', () => {
  const plain = editedText(message, [{ at: '', odd: 'type list' }]);
  editedText(message, [
    { at: '', odd: 'type list' },
    { at: '/type', odd: 'null' },
  ]);
  expect(editedText(message, [{ at: '', odd: 'type list' }])).toBe(plain);
});
