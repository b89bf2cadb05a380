import { describe, expect, it } from 'vitest';
import { counts } from './tries.ts';

describe('a try of an interruption', () => {
  it('counts if nothing speaks against it', () => {
    expect(counts(undefined, 'back-mid-call', ['missed-nothing'])).toBe(true);
  });

  it('does not count if the page missed nothing', () => {
    expect(counts('missed-nothing', 'back-mid-call', [])).toBe(false);
  });

  it('counts as slow only if it was slow twice, whatever came between', () => {
    expect(counts('was-slow', 'back-mid-call', [])).toBe(false);
    expect(counts('was-slow', 'back-mid-call', ['was-slow'])).toBe(true);
    expect(counts('was-slow', 'back-mid-call', ['was-slow', 'ended-away'])).toBe(true);
  });

  it('does not count if the call ended before the page was back, unless that is what is tested', () => {
    expect(counts('ended-away', 'back-mid-call', ['was-slow'])).toBe(false);
    expect(counts('ended-away', 'back-after-end', [])).toBe(true);
  });

  it('counts if no try could be back before the end', () => {
    expect(counts('away-too-long', 'back-mid-call', [])).toBe(true);
  });
});
