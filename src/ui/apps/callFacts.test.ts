import { expect, test } from 'vitest';
import type { Call } from '../../log/state/call.ts';
import { callFactsOf } from './callFacts.ts';

const CALL = {
  id: '1',
  server: 's',
  tool: 't',
  args: { a: 1 },
  startedAt: 0,
  repeatable: false,
  received: 0,
  replayed: 0,
  duplicates: 0,
};
const SETTLED = { name: 'settled', settledAt: 1 } as const;
const result = { content: [], _meta: { viewUUID: 'x' } };

test.each<[string, Omit<Call, keyof typeof CALL>, object]>([
  ['an open call runs', { name: 'open' }, { name: 'running' }],
  ['a call that waits for input runs', { name: 'needs-input' }, { name: 'running' }],
  ['a result comes whole, with its metadata', { ...SETTLED, result }, { name: 'done', result }],
  ['a result that is still read from the log comes later', { ...SETTLED, resultSeq: 7 }, { name: 'running' }],
  ['a removed result never comes', { ...SETTLED, resultRemovedAt: 1 }, { name: 'without-result' }],
  [
    'a lost call has no result',
    { name: 'lost', settledAt: 1, reason: { code: 'user-cancelled' } },
    { name: 'without-result' },
  ],
  [
    'an error is no result',
    { ...SETTLED, error: { code: 1, message: 'No.' } },
    { name: 'without-result', why: 'No.' },
  ],
])('%s', (_, change, facts) => {
  expect(callFactsOf({ ...CALL, ...change } as Call)).toMatchObject({ ...facts, args: { a: 1 } });
});
