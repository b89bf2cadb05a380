import { expect, test } from 'vitest';
import type { Call } from '../../log/state/call.ts';
import { againOf, wantsKey } from './callAgain.ts';

const call = (more: Partial<Call>) => ({ name: 'settled', repeatable: true, ...more }) as Call;
const CLOSED = { code: 'page-closed' } as const;

test.each<[Partial<Call>, ReturnType<typeof againOf>, boolean]>([
  [{ name: 'open' }, 'no', false],
  [{ name: 'open', repeatable: false }, 'no', false],
  [{ result: {} }, 'at-once', false],
  [{ result: {}, repeatable: false }, 'at-once', false],
  [{ name: 'unknown', reason: CLOSED }, 'at-once', true],
  [{ name: 'unknown', reason: CLOSED, repeatable: false }, 'after-question', false],
  [{ name: 'lost', reason: CLOSED }, 'at-once', true],
  [{ name: 'lost', reason: CLOSED, repeatable: false }, 'after-question', false],
  [{ name: 'cancelled', reason: { code: 'reloaded', how: 'call' } }, 'at-once', true],
  [{ name: 'cancelled', reason: { code: 'user-cancelled' } }, 'at-once', false],
])('%j is made again: %s, by a key that is shown: %s', (more, again, isShown) => {
  expect(againOf(call(more))).toBe(again);
  expect(wantsKey(call(more))).toBe(isShown);
});
