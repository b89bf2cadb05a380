import { expect, test } from 'vitest';
import { holdsHidden, requireNothingHidden, withoutHidden } from './hidden.ts';

const args = { user: 'ann', password: '‹redacted›', all: [{ token: 'a ‹redacted›' }, 'b', '‹redacted›'] };

test('a hidden secret is found wherever it stands', () => {
  expect(holdsHidden(args)).toBe(true);
  expect(holdsHidden({ a: [{ b: '‹redacted›' }] })).toBe(true);
  expect(holdsHidden({ a: [1, null, 'redacted'] })).toBe(false);
});

test('what is hidden is not sent, and is named', () => {
  expect(() => requireNothingHidden(args)).toThrow(
    'Reprise doesn’t store secret values. Enter “password” and “all” again.',
  );
  expect(() => requireNothingHidden({ user: 'ann' })).not.toThrow();
});

test('what is hidden is left empty in a form', () => {
  expect(withoutHidden(args)).toEqual({ user: 'ann', all: [{}, 'b'] });
});
