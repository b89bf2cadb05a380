import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Entry, EntryBody } from '../entry/entry.ts';
import { foldAll } from './foldAll.ts';
import { ServerReducer } from './serverReducer.ts';
import { Log } from '../log.ts';
import { messageOf } from '../entry/messageOf.ts';
import type { Draft } from '../entry/draft.ts';

const clock: Clock = { now: () => 5, after: () => () => undefined, random: () => 0 };
const CALL = 'call-1';
const STATELESS = 'call-2';

function newLog(): Log {
  const log = new Log('s', clock);
  for (const callId of [CALL, STATELESS]) {
    const sending = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
    const change = callId === CALL ? sending : ({ ...sending, era: 'stateless' } as const);
    log.append({ body: { kind: 'call', callId, change } });
    log.append({ body: { kind: 'sent', stream: callId, callId, raw: '{}' } });
  }
  return log;
}

function received(raw: string, eventId: string, callId?: string): Draft {
  const message = JSON.parse(raw) as JsonObject;
  const method = message['method'];
  const body: EntryBody = {
    kind: 'received',
    stream: callId ?? 'standalone',
    eventId,
    raw,
    ...(callId !== undefined && { callId }),
    ...(typeof method === 'string' && { method }),
  };
  return { body, message };
}

const progress = (n: number): string =>
  JSON.stringify({ method: 'notifications/progress', params: { progressToken: CALL, progress: n } });

/** Folding this one throws, whatever it is read for. */
function poisoned(eventId: string): Draft {
  const draft = received(progress(2), eventId, CALL);
  const message = new Proxy(draft.message ?? {}, {
    get: () => {
      throw new TypeError('Cannot convert object to primitive value');
    },
  });
  return { body: draft.body, message };
}

function restored(entries: readonly Entry[]): ServerReducer {
  const state = new ServerReducer('s');
  foldAll(
    state,
    entries.map((entry) => ({ entry, message: messageOf(entry) })),
  );
  return state;
}

describe('an entry that cannot be folded', () => {
  it('is recorded as malformed, and its neighbors are stored', () => {
    const log = newLog();
    const stored: Entry[] = [];
    log.appended.on(({ entries }) => stored.push(...entries));
    log.appendAll([received(progress(1), 'e1', CALL), poisoned('e2'), received(progress(3), 'e3', CALL)]);
    expect(stored.map(({ kind }) => kind)).toEqual(['received', 'malformed', 'received']);
    expect(stored.map(({ seq }) => seq)).toEqual([5, 6, 7]);
    expect(stored[1]).toMatchObject({ stream: CALL, callId: CALL, eventId: 'e2' });
    expect(log.state.calls.get(CALL)).toMatchObject({ received: 2, progress: { progress: 3 } });
  });

  it('still moves the cursor, which is never ahead of the entries', () => {
    const log = newLog();
    const stored: Entry[] = [];
    log.appended.on(({ entries }) => stored.push(...entries));
    log.appendAll([received(progress(1), 'e1', CALL), poisoned('e2')]);
    expect(log.state.streams.get(CALL)?.cursor).toBe('e2');
    expect(stored.at(-1)).toMatchObject({ eventId: 'e2' });
  });

  it('leaves nothing half-applied: a takeover by another tab folds to the same state', () => {
    const log = newLog();
    log.appendAll([poisoned('e1'), received(progress(1), 'e2', CALL)]);
    const other = new Log('s', clock);
    other.adopt(log.tail);
    expect(other.state.snapshot()).toEqual(log.state.snapshot());
  });

  it('does not stop a stored log from being read, even if its text is no JSON', () => {
    const log = newLog();
    const odd = { ...received(progress(1), 'e1', CALL).body, raw: '‹redacted›":"2.0"}' } as EntryBody;
    const entries = [...log.tail, { seq: 5, at: 5, load: 0, ...odd } as Entry];
    const other = new Log('s', clock);
    other.adopt(entries);
    expect(other.state.nextSeq).toBe(6);
    expect(other.state.streams.get(CALL)?.cursor).toBe('e1');
  });
});

describe('odd messages among good ones', () => {
  const odd = fc.oneof(
    fc.constant({ toString: null }),
    fc.constant({ valueOf: 1, toString: 2 }),
    fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  );
  const id = fc.oneof(fc.constantFrom(CALL, STATELESS, 7, `${CALL}.poll.1`, null), odd);
  const task = fc.record(
    {
      taskId: fc.oneof(fc.constantFrom('t1', 't2'), odd),
      status: fc.constantFrom('working', 'failed', 'cancelled'),
      ttlMs: odd,
      statusMessage: odd,
    },
    { requiredKeys: ['taskId', 'status'] },
  );
  const result = fc.oneof(
    fc.record({ content: odd }),
    fc.record({
      resultType: fc.oneof(fc.constantFrom('input_required', 'task', 'complete'), odd),
      inputRequests: fc.dictionary(fc.oneof(fc.constantFrom('__proto__', 'toString', 'a'), fc.string()), odd),
      requestState: odd,
    }),
    fc.record({ task }),
    task,
    odd,
  );
  const message = fc.oneof(
    fc.record({
      method: fc.constant('notifications/cancelled'),
      params: fc.oneof(fc.record({ requestId: id }), odd),
    }),
    fc.record({
      method: fc.constant('notifications/progress'),
      params: fc.oneof(fc.record({ progressToken: id, progress: odd, total: odd, message: odd }), odd),
    }),
    fc.record({
      method: fc.constant('notifications/elicitation/complete'),
      params: fc.oneof(fc.record({ elicitationId: odd }), odd),
    }),
    fc.record({ method: fc.constant('notifications/tasks/status'), params: fc.oneof(task, odd) }),
    fc.record({
      method: fc.constantFrom('elicitation/create', 'sampling/createMessage', 'roots/list'),
      id,
      params: odd,
    }),
    fc.record({ id, result }),
    fc.record({
      id,
      error: fc.oneof(fc.record({ code: fc.constantFrom(-32042, 1), message: odd, data: odd }), odd),
    }),
    fc.record({ method: fc.string(), params: odd }),
  );

  it('fold to the same state that the stored entries give after a reload', () => {
    const drafts = fc.array(fc.tuple(message, fc.constantFrom(CALL, STATELESS, undefined)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(drafts, (all) => {
        const log = newLog();
        log.appendAll(all.map(([one, callId], n) => received(JSON.stringify(one), `e${n}`, callId)));
        const stored = JSON.parse(JSON.stringify(log.tail)) as readonly Entry[];
        expect(stored).toHaveLength(4 + all.length);
        expect(restored(stored).snapshot()).toEqual(log.state.snapshot());
        const last = all.findLastIndex(([, callId]) => callId === undefined);
        if (last >= 0) expect(log.state.streams.get('standalone')?.cursor).toBe(`e${last}`);
      }),
      { numRuns: 500 },
    );
  });
});
