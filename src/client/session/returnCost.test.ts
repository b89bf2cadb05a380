import { expect, test } from 'vitest';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import type { CallChange } from '../../log/entry/entry.ts';
import { Log } from '../../log/log.ts';
import { NO_LISTS } from '../catalog/catalog.ts';
import { returnCost } from './returnCost.ts';

const GONE = { code: 'session-ended', how: 'forgotten', status: 404 } as const;
const clock = { now: () => 0, random: () => 0, after: () => () => undefined };

test('the cost of a restart counts what the page before gave up, in the same return', () => {
  const log = new Log('s', clock);
  const call = (callId: string, change: CallChange) => log.append({ body: { kind: 'call', callId, change } });
  const state = (change: ConnectionState) => log.append({ body: { kind: 'state', state: change } });
  const sending = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
  const lost = { name: 'lost', reason: { ...GONE, so: 'result-unreachable' } } as const;
  for (const id of ['earlier', 'no-replay', 'with-session', 'late']) call(id, sending);
  call('earlier', lost);
  state({ name: 'connected', how: 'restarted' });
  call('no-replay', { name: 'lost', reason: { code: 'no-replay' } });
  call('with-session', lost);
  call('late', lost);
  const expired = { name: 'expired', reason: { ...GONE, so: 'answer-not-awaited' } } as const;
  log.append({ body: { kind: 'question', requestId: 'q', change: expired } });
  state({ name: 'reconnecting', attempt: 1, retryAt: 0, reason: GONE });
  // Here the page is loaded again.
  log.append({ body: { kind: 'load', reason: 'opened' } });
  state({ name: 'reconnecting', attempt: 1, retryAt: 0, reason: { code: 'page-loaded' } });
  log.append({
    body: { kind: 'received', stream: 'standalone', callId: 'late', raw: '{"id":"late","result":{}}' },
  });
  const cost = returnCost({ lists: NO_LISTS }, { state: log.state, lists: NO_LISTS, areRead: true });
  expect(cost).toEqual({ callsLost: 1, questionsExpired: 1, hasLists: true });
});
