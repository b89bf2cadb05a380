import { expect, test } from 'vitest';
import type { Call } from '../../log/call.ts';
import { callFactsOf } from './callFacts.ts';

const CALL: Call = {
  id: '1',
  server: 's',
  tool: 't',
  args: { a: 1 },
  name: 'settled',
  startedAt: 0,
  repeatable: false,
  received: 0,
  replayed: 0,
  duplicates: 0,
};
const result = { content: [], _meta: { viewUUID: 'x' } };

test.each<[string, Partial<Call>, object]>([
  ['an open call runs', { name: 'open' }, { name: 'running' }],
  ['a call that waits for input runs', { name: 'needs-input' }, { name: 'running' }],
  ['a result comes whole, with its metadata', { result }, { name: 'done', result }],
  ['a result that is still read from the log comes later', { resultSeq: 7 }, { name: 'running' }],
  ['a removed result never comes', { resultRemovedAt: 1 }, { name: 'without-result' }],
  [
    'a lost call has no result',
    { name: 'lost', reason: { code: 'user-cancelled' } },
    { name: 'without-result' },
  ],
  ['an error is no result', { error: { code: 1, message: 'No.' } }, { name: 'without-result', why: 'No.' }],
])('%s', (_, change, facts) => {
  expect(callFactsOf({ ...CALL, ...change })).toMatchObject({ ...facts, args: { a: 1 } });
});
