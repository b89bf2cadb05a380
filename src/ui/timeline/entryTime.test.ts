import { expect, test } from 'vitest';
import { entryTime } from './entryTime.ts';

const AT = new Date(2026, 10, 17, 14, 2, 31, 7).getTime();

test('the time of an entry is counted from a moment, before it too', () => {
  expect(entryTime(AT, AT - 1234)).toBe('+1.23 s');
  expect(entryTime(AT, AT + 500)).toBe('−0.50 s');
});

test('without a moment it’s the clock, with milliseconds', () => {
  expect(entryTime(AT, undefined)).toBe('14:02:31.007');
});
