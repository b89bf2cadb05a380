import { describe, expect, it } from 'vitest';
import type { Call } from '../../log/state/call.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import { callStateOf } from './outcome.ts';

const call = {
  id: 'c',
  server: 's',
  tool: 't',
  args: {},
  name: 'open',
  startedAt: 1,
  settledAt: 9,
  repeatable: false,
  received: 0,
  replayed: 0,
  duplicates: 0,
};
const stateOf = (more: Partial<Call>, isRepeatable?: boolean) =>
  callStateOf({ ...call, ...more } as Call, isRepeatable);

describe('a call without a result', () => {
  const rows: readonly (readonly [Call['name'], Reason, string])[] = [
    ['lost', { code: 'no-replay' }, 'no-replay'],
    ['lost', { code: 'session-ended', how: 'forgotten' }, 'session-ended'],
    ['lost', { code: 'resume-refused', status: 400 }, 'resume-refused'],
    ['lost', { code: 'resume-blocked' }, 'resume-refused'],
    ['lost', { code: 'task-unknown' }, 'task-gone'],
    ['lost', { code: 'too-many-rounds', rounds: 9 }, 'input-limit'],
    ['lost', { code: 'secret-not-stored' }, 'secret-not-stored'],
    ['lost', { code: 'user-disconnected', how: 'call' }, 'disconnected'],
    ['unknown', { code: 'no-event-id' }, 'no-event-id'],
    ['unknown', { code: 'page-closed' }, 'no-event-id'],
    ['unknown', { code: 'no-session' }, 'no-session'],
    ['unknown', { code: 'no-answer', how: 'call' }, 'no-response'],
    ['cancelled', { code: 'user-cancelled' }, 'app'],
    ['cancelled', { code: 'timed-out', how: 'call', timeoutMs: 1 }, 'timeout'],
    ['cancelled', { code: 'user-declined' }, 'declined'],
    ['cancelled', { code: 'task-cancelled' }, 'server'],
    ['cancelled', { code: 'reloaded', how: 'call' }, 'reload'],
    ['expired', { code: 'task-expired', how: 'task' }, 'task-ttl'],
  ];
  it.each(rows)('that is %s because of %j has the reason %s', (name, reason, code) => {
    const state = stateOf({ name, reason } as Partial<Call>);
    expect(state).toMatchObject({ name, reason: code, safeToRetry: false, endedAt: 9 });
    expect('why' in state && state.why).toMatch(/^[A-Z].*\.$/);
  });

  it('is safe to retry if the tool says so, or if the server rejected it before it ran', () => {
    const reason = { code: 'session-ended', how: 'forgotten' } as const;
    expect(stateOf({ name: 'lost', reason, repeatable: true })).toMatchObject({
      safeToRetry: true,
    });
    expect(stateOf({ name: 'lost', reason }, true)).toMatchObject({ safeToRetry: true });
    const refused = { ...reason, so: 'not-run-call-again' } as const;
    expect(stateOf({ name: 'lost', reason: refused })).toMatchObject({ safeToRetry: true });
  });
});

describe('a call that is settled', () => {
  const settled = { ...call, name: 'settled' } as const;

  it('is ok, unless the tool reports an error in its result', () => {
    const content = [{ type: 'text', text: 'No such file.' }];
    expect(callStateOf({ ...settled, result: { content } })).toMatchObject({ ok: true, result: { content } });
    const state = callStateOf({ ...settled, result: { content, isError: true } });
    expect(state).toMatchObject({ ok: false, error: { message: 'No such file.' }, result: { content } });
  });

  it('has the JSON-RPC error of the server', () => {
    const error = { code: -32602, message: 'Unknown tool', data: 1 };
    expect(callStateOf({ ...settled, error })).toMatchObject({ ok: false, error });
  });

  it('names the HTTP status where the server said nothing else', () => {
    const reason = { code: 'http-error', status: 400, because: { code: 'refused', status: 400 } } as const;
    const state = callStateOf({ ...settled, error: { code: 400 }, reason });
    expect(state).toMatchObject({ ok: false, error: { code: 400, message: expect.stringContaining('400') } });
  });

  it('is unknown if a gateway has answered: that says nothing about the tool', () => {
    const reason = {
      code: 'http-error',
      status: 504,
      because: { code: 'unavailable', status: 504 },
    } as const;
    const state = callStateOf({ ...settled, error: { code: 504 }, reason });
    expect(state).toMatchObject({ name: 'unknown', reason: 'no-response' });
  });
});

it.each(['sending', 'open', 'needs-input'] as const)(
  'a call that is %s has no more than its name',
  (name) => {
    expect(stateOf({ name })).toEqual({ name });
  },
);
