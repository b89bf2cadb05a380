import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fingerprint } from './fingerprint.ts';

const text = fc.string({ unit: 'binary', maxLength: 260 });

it('is the same for the same text, whatever came before', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const print = fingerprint(one);
      fingerprint(other);
      expect(fingerprint(one)).toBe(print);
    }),
  );
});

it('tells texts apart that differ in one character of their beginning, or in their length', () => {
  const texts = Array.from({ length: 240 }, (_, at) => at).flatMap((at) =>
    ['1', '2', 'é', '語'].map((char) => `${'x'.repeat(at)}${char}${'x'.repeat(300 - at)}`),
  );
  const lengths = Array.from({ length: 300 }, (_, length) => 'y'.repeat(length));
  const prints = [...texts, ...lengths].map(fingerprint);
  expect(new Set(prints).size).toBe(prints.length);
});
