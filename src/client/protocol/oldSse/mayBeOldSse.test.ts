import { expect, test } from 'vitest';
import type { FailedRequest, Outcome } from '../../exchange/classifyFailure.ts';
import { mayBeOldSse } from './mayBeOldSse.ts';

const status = (code: number): Outcome => ({ kind: 'status', status: code, body: '' });

test.each<[boolean, FailedRequest, Outcome]>([
  [true, 'initialize', status(400)],
  [true, 'initialize', status(404)],
  [true, 'initialize', status(405)],
  [false, 'initialize', status(200)],
  [false, 'initialize', status(401)],
  [false, 'initialize', status(500)],
  [false, 'initialize', { kind: 'threw', why: 'Failed to fetch' }],
  [false, 'probe', status(405)],
  [false, 'post', status(404)],
])('%s: %s, %o', (expected, request, outcome) => {
  expect(mayBeOldSse({ request, outcome })).toBe(expected);
});

test('no failure, no transport', () => {
  expect(mayBeOldSse(undefined)).toBe(false);
});
