import { expect, test } from 'vitest';
import type { Call } from '../log/state/call.ts';
import { judgeRepeat, type RepeatedCallContext } from './repeatedCall.ts';

const call = (id: string, tool: string, args: object, appOf?: string): Call => ({
  id,
  server: 's',
  tool,
  args,
  name: 'settled',
  startedAt: 0,
  settledAt: 1,
  repeatable: false,
  received: 1,
  replayed: 0,
  duplicates: 0,
  ...(appOf !== undefined && { appOf }),
});
const CONTEXT: RepeatedCallContext = {
  callId: 'main',
  opened: 2,
  openedAt: 10,
  isRepeatable: false,
  calls: [call('main', 'shop', {}), call('1', 'order', { item: 'a', count: 1 }, 'main')],
  own: new Set(),
};

test.each([
  ['the same call of the view before', { item: 'a', count: 1 }, {}, 'ask'],
  ['the same arguments in another order', { count: 1, item: 'a' }, {}, 'ask'],
  ['other arguments', { item: 'b', count: 1 }, {}, 'note'],
  ['a call before the log heard of an opening', { item: 'a', count: 1 }, { opened: 1 }, 'ask'],
  ['a call that this opening is just making', { item: 'a', count: 1 }, { openedAt: 0 }, 'pass'],
  ['a tool that only reads', { item: 'a', count: 1 }, { isRepeatable: true }, 'pass'],
  ['a call of its own', { item: 'a', count: 1 }, { own: new Set(['1']) }, 'pass'],
  ['a call of another view', { item: 'a', count: 1 }, { callId: 'other' }, 'pass'],
])('%s', (_, args, change, verdict) => {
  expect(judgeRepeat('order', args, { ...CONTEXT, ...change })).toBe(verdict);
});

test('the call that the view belongs to counts as well', () => {
  expect(judgeRepeat('shop', {}, CONTEXT)).toBe('ask');
  expect(judgeRepeat('shop', {}, { ...CONTEXT, opened: 1 })).toBe('pass');
});
