import { describe, expect, it } from 'vitest';
import { VERSION } from './entry.ts';
import { recorded } from '../reasons/reason.ts';
import { upgrade, upgradeEntry } from './upgrade.ts';

const stamp = { seq: 1, at: 1, load: 1 };

describe('a log of version 3', () => {
  // oxfmt-ignore
  it.each([
    ['a state', { kind: 'state', state: { name: 'disconnected', why: 'You.', reason: 'user-disconnected' } }, { kind: 'state', state: { name: 'disconnected', reason: recorded('You.', 'user-disconnected') } }],
    ['a cost', { kind: 'state', state: { name: 'connected', how: 'restarted', note: 'Restarted.', reason: 'session-ended' } }, { kind: 'state', state: { name: 'connected', how: 'restarted', reason: recorded('Restarted.', 'session-ended') } }],
    ['a failure', { kind: 'state', state: { name: 'failed', why: 'No.', fix: 'Do.', paste: 'x' } }, { kind: 'state', state: { name: 'failed', reason: recorded('No.', undefined, 'Do.'), paste: 'x' } }],
    ['a call that failed', { kind: 'call', callId: 'c', change: { name: 'failed', error: { code: 1, message: 'm' } } }, { kind: 'call', callId: 'c', change: { name: 'failed', error: { code: 1, message: 'm' }, reason: recorded(undefined) } }],
    ['a note', { kind: 'note', level: 'info', text: 'Hello.' }, { kind: 'note', level: 'info', reason: recorded('Hello.') }],
    ['an auth step', { kind: 'auth', step: 'token', problem: 'No.' }, { kind: 'auth', step: 'token', reason: recorded('No.') }],
    ['an auth step without a problem', { kind: 'auth', step: 'token' }, { kind: 'auth', step: 'token' }],
    ['a page load', { kind: 'load', reason: 'opened' }, { kind: 'load', reason: 'opened' }],
    ['a message', { kind: 'received', stream: 's', raw: '{}' }, { kind: 'received', stream: 's', raw: '{}' }],
  ])('keeps the sentence of %s', (_, before, after) => {
    expect(upgradeEntry({ ...stamp, ...before }, 3)).toEqual({ ...stamp, ...after });
    expect(upgrade({ v: 3, runs: [{ ...stamp, ...before }] })).toEqual({
      ok: true,
      value: { v: VERSION, runs: [{ ...stamp, ...after }] },
    });
  });

  it('keeps the sentences of its state', () => {
    const head = {
      state: { name: 'reconnecting', attempt: 1, retryAt: 2, why: 'Lost.', reason: 'broken' },
      era: { era: 'session', protocolVersion: '1', why: 'Chosen.', at: 1 },
      calls: [
        {
          id: 'c',
          why: 'Gone.',
          reason: 'no-replay',
          ranAgain: { why: 'Twice.', reason: 'second-response' },
        },
      ],
      questions: [{ id: 'q', answering: { why: 'Rule.', reason: 'rule' } }, { id: 'r' }],
      closedQuestions: [{ question: { id: 'q' }, at: 1, why: 'Late.', reason: 'timed-out' }],
      tasks: [{ taskId: 't', ended: 'Expired.' }, { taskId: 'u' }],
    };
    expect(upgrade({ v: 3, head, segments: [] })).toEqual({
      ok: true,
      value: {
        v: VERSION,
        segments: [],
        head: {
          state: { name: 'reconnecting', attempt: 1, retryAt: 2, reason: recorded('Lost.', 'broken') },
          era: { era: 'session', protocolVersion: '1', at: 1, reason: recorded('Chosen.') },
          calls: [
            {
              id: 'c',
              reason: recorded('Gone.', 'no-replay'),
              ranAgain: recorded('Twice.', 'second-response'),
            },
          ],
          questions: [{ id: 'q', answering: { reason: recorded('Rule.', 'rule') } }, { id: 'r' }],
          closedQuestions: [{ question: { id: 'q' }, at: 1, reason: recorded('Late.', 'timed-out') }],
          tasks: [{ taskId: 't', ended: recorded('Expired.') }, { taskId: 'u' }],
        },
      },
    });
  });
});
