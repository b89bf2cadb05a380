// No JSON of a server makes a reader throw, or takes it more than a second.
import { describe, expect, it } from 'vitest';
import { readCase } from './readRandom.ts';
import { CASES } from './readerCases.ts';

describe('reads whatever a server can send in the place of a good value:', () => {
  it.each(CASES)('%s', (...one) => {
    expect(readCase(one, 20260728, 15)).toEqual([]);
  });
});
