import { describe, expect, test } from 'vitest';
import { CALL, reloadedCall } from '../testing/logOf.ts';
import { toFileEntry } from '../../log/entry/publicEntry.ts';
import { importedEntry } from './importedEntry.ts';

const stamp = { seq: 1, at: 1, load: 1 };
const call = (change: object) => ({ ...stamp, kind: 'call', callId: CALL, change });
const question = (change: object) => ({ ...stamp, kind: 'question', requestId: '1', change });
const task = (change: object) => ({ ...stamp, kind: 'task', taskId: 't', callId: CALL, change });
const http = (change: object) => ({
  ...stamp,
  kind: 'http',
  stream: 's',
  method: 'GET',
  url: 'http://localhost/mcp',
  status: 200,
  durationMs: 1,
  requestHeaders: {},
  responseHeaders: {},
  ...change,
});
const reason = { code: 'session-ended', how: 'forgotten', status: 404 };
const sending = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false };
let deep: object = {};
for (let i = 0; i < 600; i += 1) deep = { deep };

test('takes every entry of a good log as it was', () => {
  for (const entry of reloadedCall) {
    expect(importedEntry(JSON.parse(JSON.stringify(toFileEntry('s', entry))))).toEqual({
      ok: true,
      value: entry,
    });
  }
});

describe('takes every member of each union', () => {
  test.each([
    call(sending),
    call({ ...sending, method: 'resources/read', backgroundMs: 5, era: 'stateless' }),
    ...['open', 'retrying', 'background'].map((name) => call({ name })),
    ...['cancelled', 'lost', 'unknown', 'expired'].map((name) => call({ name, reason })),
    call({ name: 'failed', error: { code: 1, message: 'x' }, reason }),
    call({ name: 'failed', error: { code: 401 }, reason: { code: 'unauthorized', because: reason } }),
    call({ name: 'ran-again', runs: 2, reason: { code: 'progress-went-back', from: 4, to: 0.5 } }),
    question({ name: 'answering' }),
    question({ name: 'answered', response: { a: 1 }, reason }),
    question({ name: 'completed' }),
    question({ name: 'expired', reason }),
    task({ name: 'ended', reason }),
    { ...stamp, kind: 'state', state: { name: 'idle' } },
    { ...stamp, kind: 'state', state: { name: 'authorizing', reason, ask: 'login' } },
    { ...stamp, kind: 'state', state: { name: 'failed', reason, elsewhere: 'z' } },
    { ...stamp, kind: 'era', era: 'session', protocolVersion: '1', transport: 'sse', reason },
  ])('%j', (entry) => {
    expect(importedEntry(entry)).toEqual({ ok: true, value: entry });
  });
});

describe('takes nothing else', () => {
  test.each([
    ['a reason with an unknown code', call({ name: 'lost', reason: { code: 'because' } })],
    ['a reason without a fact', call({ name: 'lost', reason: { code: 'resume-refused' } })],
    ['a reason with a fact of another type', call({ name: 'lost', reason: { ...reason, status: 'x' } })],
    ['a reason of an unknown case', call({ name: 'lost', reason: { ...reason, how: 'by magic' } })],
    ['a second run that was cancelled', call({ name: 'ran-again', runs: 2, reason })],
    ['a call that ends as a task does', call({ name: 'ended', reason })],
    ['a call that is answered', call({ name: 'answered' })],
    ['a question that is lost', question({ name: 'lost', reason })],
    ['a task that is open', task({ name: 'open' })],
    ['a call that fails with text', call({ name: 'failed', error: { code: 'x', message: { a: 1 } } })],
    ['a call with arguments in a list', call({ ...sending, args: [1] })],
    ['an inherited change', call({ name: 'toString' })],
    ['a change named by an object', call({ name: { toString: null } })],
    ['a time that no date can show', { ...stamp, at: 8.64e15 + 1, kind: 'load', reason: 'opened' }],
    [
      'a time of a retry that no date can show',
      { ...stamp, kind: 'state', state: { name: 'reconnecting', attempt: 1, retryAt: 1e17, reason } },
    ],
    ['a number above 32 bits', { ...stamp, seq: 2 ** 32, kind: 'load', reason: 'opened' }],
    ['a method with a command in it', http({ method: 'GET; touch /tmp/x;' })],
    ['a header that is no text', http({ requestHeaders: { a: { toString: null } } })],
    ['a duration below zero', http({ durationMs: -1 })],
    ['a duration without an end', http({ durationMs: null })],
    ['an event ID that is a number', { ...stamp, kind: 'position', stream: 's', eventId: 7 }],
    ['a message that is a list', { ...stamp, kind: 'received', stream: 's', message: [] }],
    ['a message that is nested too deep', { ...stamp, kind: 'received', stream: 's', message: deep }],
    ['an unknown way to end', { ...stamp, kind: 'stream-end', stream: 's', how: 'sung' }],
    ['an unknown level', { ...stamp, kind: 'note', level: 'loud', reason }],
    ['an unknown step', { ...stamp, kind: 'auth', step: 'dance' }],
    ['an inherited kind', { ...stamp, kind: 'constructor' }],
  ])('%s', (_, entry) => {
    expect(importedEntry(entry)).toMatchObject({ ok: false });
  });
});

test('leaves out fields that it does not know, also inside', () => {
  const odd = { ...call({ ...sending, extra: { toString: null } }), raw: 'x', extra: 1 };
  expect(importedEntry(odd)).toEqual({ ok: true, value: call(sending) });
});
