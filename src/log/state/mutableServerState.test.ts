import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../entry/entry.ts';
import type { JsonObject } from '../../base/json.ts';
import { ServerReducer } from './serverReducer.ts';
import { EMPTY_STATE, MutableServerState } from './mutableServerState.ts';

const CALL = 'call-1';
const sending = { name: 'sending', tool: 't', args: {}, repeatable: false } as const;

const received = (message: JsonObject, callId?: string, eventId?: string): [EntryBody, JsonObject] => {
  const { method } = message;
  const body: EntryBody = {
    kind: 'received',
    stream: callId ?? 'standalone',
    raw: JSON.stringify(message),
    ...(callId !== undefined && { callId }),
    ...(eventId !== undefined && { eventId }),
    ...(typeof method === 'string' && { method }),
  };
  return [body, message];
};

/** One of everything that changes the state. */
const STEPS: readonly (readonly [EntryBody, JsonObject?])[] = [
  [{ kind: 'load', reason: 'opened' }],
  [{ kind: 'state', state: { name: 'connected', how: 'fresh' } }],
  [
    {
      kind: 'era',
      era: 'session',
      protocolVersion: '2025-11-25',
      reason: { code: 'chosen', era: 'session' },
    },
  ],
  [{ kind: 'session', protocolVersion: '2025-11-25', serverName: 's' }],
  [{ kind: 'call', callId: CALL, change: sending }],
  [{ kind: 'sent', stream: CALL, callId: CALL, raw: '{}' }],
  [{ kind: 'position', stream: CALL, callId: CALL, eventId: 'e0' }],
  received({ method: 'notifications/progress', params: { progressToken: CALL, progress: 1 } }, CALL, 'e1'),
  received({ method: 'notifications/message', params: { level: 'info', data: 'x' } }, undefined, 'g1'),
  received({ id: 1, method: 'elicitation/create', params: {} }, CALL, 'e2'),
  [{ kind: 'duplicate', stream: CALL, callId: CALL, eventId: 'e1' }],
  [{ kind: 'question', requestId: '1', change: { name: 'answered' } }],
  [{ kind: 'app', callId: CALL, view: 'v', step: 'opened', uri: 'ui://a' }],
  received({ id: CALL, result: { content: [] } }, CALL, 'e3'),
  [{ kind: 'stream-end', stream: CALL, callId: CALL, how: 'answered' }],
  [{ kind: 'state', state: { name: 'reconnecting', attempt: 1, retryAt: 9, reason: { code: 'broken' } } }],
];

function play(state: ServerReducer, from: number, to: number): void {
  STEPS.slice(from, to).forEach(([body, message], n) => {
    state.apply({ seq: from + n + 1, at: (from + n) * 10, load: 1, ...body }, message);
  });
}

function played(steps = STEPS.length): ServerReducer {
  const state = new ServerReducer('s');
  play(state, 0, steps);
  return state;
}

describe('a snapshot', () => {
  it('of a log without entries is the empty one', () => {
    expect(new MutableServerState('s').snapshot()).toMatchObject(EMPTY_STATE);
  });

  it('is all that the next page needs, whenever it was taken', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: STEPS.length }), (at) => {
        // As storage does: what is not JSON-like would not be there again.
        const restored = new ServerReducer('s', structuredClone(played(at).snapshot()));
        expect(restored.snapshot()).toEqual(played(at).snapshot());
      }),
    );
  });

  it('has no result of a call, which stands in the log', () => {
    expect(played().calls.get(CALL)).toMatchObject({ name: 'settled', result: { content: [] } });
    expect(played().snapshot().calls).toMatchObject([{ id: CALL, name: 'settled' }]);
    expect(played().snapshot().calls[0]).not.toHaveProperty('result');
  });

  it('of an earlier version, without what came later, is taken as it is', () => {
    const { load, nextSeq, state, namesPositions, streams, calls, questions } = played().snapshot();
    const old = { load, nextSeq, state, namesPositions, streams, calls, questions };
    expect(new MutableServerState('s', old).snapshot()).toMatchObject({ ...old, usedAt: 0, logMessages: 0 });
  });
});

describe('a checkpoint', () => {
  it('undoes whatever was applied after it', () => {
    const step = fc.integer({ min: 0, max: STEPS.length });
    fc.assert(
      fc.property(step, step, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const state = played(from);
        const undo = state.checkpoint();
        play(state, from, to);
        undo();
        expect(state.snapshot()).toEqual(played(from).snapshot());
        expect(state.takeTransitions()).toEqual([]);
        // What is undone can be done again.
        play(state, from, to);
        expect(state.snapshot()).toEqual(played(to).snapshot());
      }),
    );
  });

  it('undoes the count of recovered events too, which is not stored', () => {
    const state = played(6);
    const undo = state.checkpoint();
    const [body, message] = received({ method: 'notifications/message', params: {} }, undefined, 'g9');
    state.apply({ seq: 7, at: 0, load: 1, ...body, replayed: true } as never, message);
    expect(state.recovered).toBe(1);
    undo();
    expect(state.recovered).toBe(0);
  });
});

it('transitions are taken once, in their order', () => {
  const state = played(5);
  expect(state.takeTransitions().map(({ kind }) => kind)).toEqual(['stateChanged', 'callBegan']);
  expect(state.takeTransitions()).toEqual([]);
});

describe('the result of a call', () => {
  const find = (state: MutableServerState) => state.calls.get(CALL);

  it('is dropped, attached again, or given up with the entry that held it', () => {
    const state = played();
    state.dropResult(CALL);
    expect(find(state)).not.toHaveProperty('result');
    state.attachResult(CALL, { id: CALL, result: { content: ['again'] } });
    expect(find(state)).toMatchObject({ result: { content: ['again'] } });
    state.dropResult(CALL);
    state.giveUpResult(CALL);
    expect(find(state)).toMatchObject({ name: 'settled', isResultRemoved: true });
  });

  it('of a call that is open, or of none, changes nothing', () => {
    const state = played(8);
    const before = state.snapshot();
    for (const id of [CALL, 'nobody']) {
      state.attachResult(id, { id, result: {} });
      state.giveUpResult(id);
      state.dropResult(id);
    }
    expect(state.snapshot()).toEqual(before);
  });
});

it('a log that was imported has nothing open: its calls are unknown, and nothing waits', () => {
  const state = played(10);
  expect(find(state)).toBe('needs-input');
  state.closeImported(99, { code: 'imported', skipped: 0 });
  expect(state.calls.get(CALL)).toMatchObject({
    name: 'unknown',
    reason: { code: 'log-ended' },
    settledAt: 99,
  });
  expect([state.questions.size, state.streams.size]).toEqual([0, 0]);
  expect(state.connection).toEqual({ name: 'disconnected', reason: { code: 'imported', skipped: 0 } });

  function find({ calls }: MutableServerState) {
    return calls.get(CALL)?.name;
  }
});
