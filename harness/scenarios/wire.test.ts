import { describe, expect, it } from 'vitest';
import { whatFollows } from './wire.ts';

describe('whatFollows', () => {
  it('tells a stream that is empty and ended from one that is silent', () => {
    expect(whatFollows({ messages: [], ended: true })).toContain('an empty stream that ends');
    expect(whatFollows({ messages: [], ended: false })).toContain('silence');
    expect(whatFollows({ messages: [{ method: 'x' }], ended: false })).toContain(
      'messages that nobody asked for',
    );
  });
});
