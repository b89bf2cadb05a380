import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rank, score } from './rank.ts';

const NAMES = ['Go to Tools', 'Go to Info', 'Disconnect', 'Open the demo', 'countdown', 'Tool: get-sum'];
const best = (typed: string) => rank(NAMES, typed, (name) => name)[0];

test('finds what is meant', () => {
  expect(best('disc')).toBe('Disconnect');
  expect(best('info')).toBe('Go to Info');
  expect(best('sum')).toBe('Tool: get-sum');
  expect(best('gti')).toBe('Go to Info');
  expect(best('zzz')).toBeUndefined();
});

test('without letters, everything in its order', () => {
  expect(rank(NAMES, ' ', (name) => name)).toEqual(NAMES);
});

test('any letters of a name, in their order, find it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,20}$/), fc.infiniteStream(fc.boolean()), (text, keep) => {
      const typed = Array.from(text)
        .filter(() => keep.next().value)
        .join('');
      expect(score(text, typed)).toBeDefined();
    }),
  );
});
