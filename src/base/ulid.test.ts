import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ulid } from './ulid.ts';

const LAST_TIME = 2 ** 48 - 1;

describe('an ID', () => {
  it('begins with its time, as the standard says', () => {
    expect(ulid(1469918176385).slice(0, 10)).toBe('01ARYZ6S41');
    expect(ulid(0).slice(0, 10)).toBe('0000000000');
    expect(ulid(LAST_TIME).slice(0, 10)).toBe('7ZZZZZZZZZ');
  });

  it('has 26 digits, and sorts by its time', () => {
    const times = fc.nat(LAST_TIME);
    fc.assert(
      fc.property(times, times, (a, b) => {
        expect(ulid(a)).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        if (a !== b) expect(ulid(a) < ulid(b)).toBe(a < b);
      }),
    );
  });

  it('is another one each time, with all digits', () => {
    const ids = Array.from({ length: 1000 }, () => ulid(0));
    expect(new Set(ids).size).toBe(1000);
    expect(new Set(ids.flatMap((id) => id.slice(10).split(''))).size).toBe(32);
  });
});
