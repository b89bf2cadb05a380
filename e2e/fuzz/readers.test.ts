// No JSON of a server makes a reader throw, or takes it more than a second.
import { expect, it } from 'vitest';
import { readRandom } from './readRandom.ts';

it('reads whatever a server can send in the place of a good value', () => {
  expect(readRandom(20260728, 15)).toEqual([]);
});
