import { expect, test } from 'vitest';
import { Log } from '../log.ts';

const clock = { now: () => 0, after: () => () => undefined, random: () => 0 };
const sending = { name: 'sending', tool: 't', args: {}, repeatable: true } as const;
const cancelled = { name: 'cancelled', reason: { code: 'user-cancelled' } } as const;
const lost = { name: 'lost', reason: { code: 'no-replay' } } as const;

test('the first end of a call is recorded, and no other', () => {
  const log = new Log('s', clock);
  for (const change of [sending, cancelled, lost, cancelled]) {
    log.append({ body: { kind: 'call', callId: 'a', change } });
  }
  expect(log.tail.map((entry) => entry.kind === 'call' && entry.change.name)).toEqual([
    'sending',
    'cancelled',
  ]);
  expect(log.state.calls.get('a')?.name).toBe('cancelled');
});

test('what is said of a call after its end is recorded', () => {
  const log = new Log('s', clock);
  for (const change of [sending, lost, { name: 'forgotten' } as const]) {
    log.append({ body: { kind: 'call', callId: 'a', change } });
  }
  expect(log.state.calls.size).toBe(0);
});

test('an input request that has ended does not expire, but its answer may be known to have arrived', () => {
  const log = new Log('s', clock);
  const question = (change: 'expired' | 'answered') =>
    log.append({
      body: {
        kind: 'question',
        requestId: '1',
        change: change === 'answered' ? { name: change } : { name: change, reason: { code: 'call-ended' } },
      },
    });
  question('expired');
  expect(log.tail).toEqual([]);
  question('answered');
  expect(log.tail).toHaveLength(1);
});
