import { describe, expect, it } from 'vitest';
import { whatFollows } from './wire.ts';

describe('whatFollows', () => {
  it('tells a stream that is empty and ended from one that is silent', () => {
    expect(whatFollows({ messages: [], ended: true })).toContain('a stream that ends without events');
    expect(whatFollows({ messages: [], ended: false })).toContain('no events');
    expect(whatFollows({ messages: [{ method: 'x' }], ended: false })).toContain('unrelated messages');
  });
});
