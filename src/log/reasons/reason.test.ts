import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../entry/entry.ts';
import { reasonCodeOf } from '../entry/entryKinds.ts';
import { recorded } from './reason.ts';

const stamp = { seq: 1, at: 1, load: 1 };

describe('reasonCodeOf', () => {
  // oxfmt-ignore
  const cases: [string, EntryBody, string | undefined][] = [
    ['a page load', { kind: 'load', reason: 'opened' }, 'opened'],
    ['a state', { kind: 'state', state: { name: 'disconnected', reason: { code: 'user-disconnected', how: 'connection' } } }, 'user-disconnected'],
    ['a state without one', { kind: 'state', state: { name: 'connected', how: 'fresh' } }, undefined],
    ['a state that has cost something', { kind: 'state', state: { name: 'connected', how: 'restarted', reason: { code: 'session-gone' } } }, 'session-gone'],
    ['an era', { kind: 'era', era: 'session', protocolVersion: '', reason: { code: 'chosen', era: 'session' } }, 'chosen'],
    ['a call', { kind: 'call', callId: 'c', change: { name: 'lost', reason: { code: 'session-gone' } } }, 'session-gone'],
    ['a call of an earlier version', { kind: 'call', callId: 'c', change: { name: 'lost', reason: recorded('Words.') } }, undefined],
    ['a call that an earlier version had a code for', { kind: 'call', callId: 'c', change: { name: 'lost', reason: recorded('Words.', 'session-ended') } }, 'session-ended'],
    ['a question', { kind: 'question', requestId: 'q', change: { name: 'expired', reason: { code: 'session-gone' } } }, 'session-gone'],
    ['a task', { kind: 'task', taskId: 't', callId: 'c', change: { name: 'ended', reason: { code: 'task-unknown' } } }, 'task-unknown'],
    ['an event that can’t be read', { kind: 'malformed', stream: 's', reason: { code: 'not-json' }, excerpt: '' }, 'not-json'],
    ['the end of a stream', { kind: 'stream-end', stream: 's', how: 'broken', reason: { code: 'broken' } }, 'broken'],
    ['a step of the authorization', { kind: 'auth', step: 'token', reason: { code: 'auth-redirected' } }, 'auth-redirected'],
    ['a note', { kind: 'note', level: 'info', reason: { code: 'deaf-stream' } }, 'deaf-stream'],
    ['a message', { kind: 'received', stream: 's', raw: '{}' }, undefined],
  ];
  it.each(cases)('finds the code of %s', (_, body, code) => {
    expect(reasonCodeOf({ ...stamp, ...body })).toBe(code);
  });
});
