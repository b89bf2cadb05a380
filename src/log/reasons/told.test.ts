import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../entry/entry.ts';
import { recorded } from './reason.ts';
import type { Task } from '../protocol/task.ts';
import { tellCall, tellEntry, tellQuestion, tellState, tellTask } from './told.ts';

const call = {
  id: 'c',
  server: 's',
  tool: 't',
  args: {},
  name: 'lost',
  startedAt: 1,
  settledAt: 2,
  timeoutMs: 1,
  repeatable: false,
  received: 0,
  replayed: 0,
  duplicates: 0,
} as const;
const { name: _, ...rest } = call;
const GONE = { code: 'session-gone' } as const;

describe('scripts are told', () => {
  it('why a call was lost, in words and by a code', () => {
    const told = tellCall({ ...call, reason: GONE });
    expect(told).toEqual({
      ...call,
      why: 'The session ended. It may still be running, but its result can’t be retrieved.',
      reason: 'session-gone',
    });
  });

  it('the message of an error, which the reason has where the server has none', () => {
    const because = { code: 'refused', status: 500, text: 'Oops' } as const;
    const told = tellCall({
      ...rest,
      name: 'settled',
      error: { code: 500 },
      reason: { code: 'http-error', status: 500, because },
    });
    expect(told.error).toEqual({ code: 500, message: 'The server rejected the request (HTTP 500: Oops).' });
    expect(told).toMatchObject({ reason: 'http-error' });
    expect(told).not.toHaveProperty('why');
  });

  it('that a tool ran twice', () => {
    const ranAgain = { code: 'progress-went-back', from: 4, to: 1 } as const;
    expect(tellCall({ ...call, reason: GONE, ranAgain }).ranAgain).toEqual({
      why: 'Progress went back from 4 to 1.',
      reason: 'progress-went-back',
    });
  });

  it('what a new session has cost', () => {
    const cost = { callsLost: 2, questionsExpired: 1, hasLists: true };
    const reason = { code: 'session-ended', how: 'forgotten', status: 404 } as const;
    expect(tellState({ name: 'connected', how: 'restarted', reason, cost })).toEqual({
      name: 'connected',
      how: 'restarted',
      note: 'Server restarted: 2 calls lost, 1 input request expired, lists refreshed.',
      reason: 'session-ended',
      cost: { callsLost: 2, questionsExpired: 1 },
    });
  });

  it('what to do about a failure', () => {
    expect(tellState({ name: 'failed', reason: { code: 'offline' } })).toEqual({
      name: 'failed',
      why: 'You’re offline.',
      reason: 'offline',
      fix: 'Reconnect when you’re back online.',
    });
  });

  it('what an earlier version has stored, as it was', () => {
    const state = { name: 'failed', reason: recorded('No.', 'cors', 'Do this.'), paste: 'x' } as const;
    expect(tellState(state)).toEqual({
      name: 'failed',
      why: 'No.',
      reason: 'cors',
      fix: 'Do this.',
      paste: 'x',
    });
    expect(tellState({ name: 'disconnected', reason: recorded('Words.') })).toEqual({
      name: 'disconnected',
      why: 'Words.',
    });
  });

  it('of questions and tasks in the same way', () => {
    const question = { id: 'q', rpcId: 1, server: 's', method: 'm', params: {}, askedAt: 1 };
    expect(tellQuestion({ ...question, answering: { reason: { code: 'roots' } } }).answering).toEqual({
      why: 'Answered automatically with your roots.',
      reason: 'roots',
    });
    const task: Task = {
      taskId: 't',
      callId: 'c',
      status: 'working',
      ttlMs: null,
      generation: 'core',
      startedAt: 1,
      heardAt: 1,
      answered: [],
    };
    expect(tellTask({ ...task, ended: { code: 'task-unknown', text: 'gone' } })).toEqual({
      ...task,
      ended: 'The server no longer has this task (gone). Its result is no longer available.',
      reason: 'task-unknown',
    });
  });

  // oxfmt-ignore
  const entries: [string, EntryBody, object][] = [
    ['a note', { kind: 'note', level: 'info', reason: { code: 'roots' } }, { kind: 'note', level: 'info', text: 'Answered automatically with your roots.', reason: 'roots' }],
    ['a step of the authorization', { kind: 'auth', step: 'token', reason: { code: 'auth-incomplete', how: 'access_token' } }, { kind: 'auth', step: 'token', problem: 'The response has no access_token.', reason: 'auth-incomplete' }],
    ['a step without a problem', { kind: 'auth', step: 'token' }, { kind: 'auth', step: 'token' }],
    ['the end of a stream', { kind: 'stream-end', stream: 's', how: 'broken', reason: { code: 'broken' } }, { kind: 'stream-end', stream: 's', how: 'broken', why: 'Connection lost.', reason: 'broken' }],
    ['a failed call', { kind: 'call', callId: 'c', change: { name: 'failed', error: { code: -1, message: 'No' }, reason: { code: 'rpc-error' } } }, { kind: 'call', callId: 'c', change: { name: 'failed', error: { code: -1, message: 'No' }, reason: 'rpc-error' } }],
    ['a page load', { kind: 'load', reason: 'opened' }, { kind: 'load', reason: 'opened' }],
  ];
  it.each(entries)('of %s as before', (_, body, told) => {
    expect(tellEntry(body)).toEqual(told);
  });
});
