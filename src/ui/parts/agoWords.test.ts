import { expect, test } from 'vitest';
import { agoWords } from './agoWords.ts';

test.each([
  [0, 'just now'],
  [1_900, 'just now'],
  [2_400, '2 s ago'],
  [59_000, '59 s ago'],
  [180_000, '3 min ago'],
  [36 * 3_600_000, '36 h ago'],
  [75 * 3_600_000, '3 days ago'],
  [-500, 'just now'],
])('%i ms are “%s”', (ms, words) => {
  expect(agoWords(1_000_000, 1_000_000 + ms)).toBe(words);
});
