import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newTraceparent } from './traceparent.ts';

describe('a traceparent', () => {
  it('has a version, a trace, a span and the flag that it is sampled, and never an ID of zeros', () => {
    const bytes = fc.oneof(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.constant(new Uint8Array(16)));
    fc.assert(
      fc.property(bytes, (given) => {
        const [version, trace, span, flags] = newTraceparent((length) => given.slice(0, length)).split('-');
        expect([version, flags]).toEqual(['00', '01']);
        expect(trace).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
        expect(span).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
      }),
    );
  });

  it('is another one each time', () => {
    expect(newTraceparent()).not.toBe(newTraceparent());
  });
});
