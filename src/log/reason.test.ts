import { describe, expect, it } from 'vitest';
import type { EntryBody } from './entry.ts';
import { reasonOf } from './reason.ts';

const why = 'Words.';
const stamp = { seq: 1, at: 1, load: 1 };

describe('reasonOf', () => {
  // prettier-ignore
  const cases: [string, EntryBody, string | undefined][] = [
    ['a state', { kind: 'state', state: { name: 'disconnected', why, reason: 'user-disconnected' } }, 'user-disconnected'],
    ['a state without one', { kind: 'state', state: { name: 'connected', how: 'fresh' } }, undefined],
    ['a call', { kind: 'call', callId: 'c', change: { name: 'lost', why, reason: 'session-ended' } }, 'session-ended'],
    ['a call of an earlier version', { kind: 'call', callId: 'c', change: { name: 'lost', why } }, undefined],
    ['a question', { kind: 'question', requestId: 'q', change: { name: 'expired', why, reason: 'session-ended' } }, 'session-ended'],
    ['a task', { kind: 'task', taskId: 't', callId: 'c', change: { name: 'ended', why, reason: 'task-expired' } }, 'task-expired'],
    ['an event that can’t be read', { kind: 'malformed', stream: 's', why, reason: 'not-json', excerpt: '' }, 'not-json'],
    ['the end of a stream', { kind: 'stream-end', stream: 's', how: 'broken', reason: 'broken' }, 'broken'],
    ['a note', { kind: 'note', level: 'info', text: why, reason: 'lists-changed' }, 'lists-changed'],
    ['a message', { kind: 'received', stream: 's', raw: '{}' }, undefined],
  ];
  it.each(cases)('finds the code of %s', (_, body, code) => {
    expect(reasonOf({ ...stamp, ...body })).toBe(code);
  });
});
