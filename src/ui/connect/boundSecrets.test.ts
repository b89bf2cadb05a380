import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bindTo, hasSecrets, moveTo, typeAt, type BoundServer } from './boundSecrets.ts';
import { typedFrom } from './typedServer.ts';

const NOTHING: BoundServer = typedFrom({}, {});
const A = 'https://a.example';
const B = 'https://b.example';

test('credentials are cleared when another origin is typed, and the first one is named', () => {
  const typed = typeAt(NOTHING, { bearer: 'x', timeoutSeconds: '5' }, A);
  const moved = moveTo(typed, B);
  expect(moved).toMatchObject({ bearer: '', timeoutSeconds: '5', clearedFrom: A });
  expect(moveTo(moved, A)).toMatchObject({ bearer: '' });
});

test('an address that is half typed, or another path of the same origin, clears nothing', () => {
  const typed = typeAt(NOTHING, { headerLines: 'X: 1' }, A);
  expect(moveTo(moveTo(typed, undefined), A)).toEqual(typed);
});

test('what is typed before the address belongs to the address that follows', () => {
  const typed = typeAt(NOTHING, { clientSecret: 'x' }, undefined);
  expect(hasSecrets(moveTo(typed, A))).toBe(true);
  expect(hasSecrets(moveTo(bindTo(typed, A), B))).toBe(false);
});

test('whatever is typed in whatever order, no credential stands beside another origin than its own', () => {
  const origin = fc.constantFrom(A, B, undefined);
  const step = fc.oneof(
    fc.record({ does: fc.constant('address' as const), origin }),
    fc.record({ does: fc.constant('secret' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let typed = NOTHING;
      let [at, typedAt]: (string | undefined)[] = [A, undefined];
      for (const one of steps) {
        if (one.does === 'secret') {
          typed = typeAt(typed, { bearer: 'x' }, at);
          typedAt = at;
        } else {
          at = one.origin;
          typed = bindTo(moveTo(typed, at), at);
          if (hasSecrets(typed)) typedAt ??= at;
        }
        if (hasSecrets(typed) && at !== undefined) expect(typedAt).toBe(at);
      }
    }),
  );
});
