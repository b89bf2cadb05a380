import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { CallChange, QuestionChange } from '../log/entry/entry.ts';
import { Redactor } from '../wire/redact.ts';
import { openLocalLog } from './localLog.ts';
import type { ServerLog } from './serverLog.ts';
import { openRemoteLog } from './testing/testLog.ts';

const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };
const CALLS = ['a', 'b', 'c'];

const received = (callId: string, fields: JsonObject & { readonly method?: string }): Draft => {
  const message = { jsonrpc: '2.0', ...fields };
  const { method } = fields;
  const raw = JSON.stringify(message);
  return { body: { kind: 'received', stream: callId, callId, raw, ...(method && { method }) }, message };
};
const sending: CallChange = { name: 'sending', tool: 't', args: {}, repeatable: true };
const lost: CallChange = { name: 'lost', reason: { code: 'no-replay' } };
const expired: QuestionChange = { name: 'expired', reason: { code: 'call-ended' } };

const callId = fc.constantFrom(...CALLS);
const draft: fc.Arbitrary<Draft> = fc.oneof(
  callId.map((id): Draft => ({ body: { kind: 'call', callId: id, change: sending } })),
  fc
    .tuple(callId, fc.constantFrom<CallChange>({ name: 'open' }, lost, { name: 'forgotten' }))
    .map(([id, change]): Draft => ({ body: { kind: 'call', callId: id, change } })),
  callId.map((id): Draft => ({ body: { kind: 'sent', stream: id, callId: id, raw: '{}' } })),
  callId.map((id): Draft => ({ body: { kind: 'position', stream: id, callId: id, eventId: `e-${id}` } })),
  fc
    .tuple(callId, fc.nat(9))
    .map(([id, n]) => received(id, { method: 'notifications/progress', params: { progress: n } })),
  callId.map((id) => received(id, { id, result: { content: [] } })),
  fc
    .tuple(callId, fc.nat(2))
    .map(([id, n]) => received(id, { id: n, method: 'elicitation/create', params: {} })),
  fc.nat(2).map((n): Draft => ({ body: { kind: 'question', requestId: String(n), change: expired } })),
  fc.constant<Draft>({ body: { kind: 'state', state: { name: 'connected', how: 'fresh' } } }),
  fc.constant<Draft>({
    body: { kind: 'sent', stream: 'x', method: 'initialize', raw: '{}' },
    message: { method: 'initialize' },
  }),
);

/** Everything that can be read of a log, in the order in which it is held. */
function shown({ state, tail }: ServerLog) {
  const { calls, questions, streams, continuations, receivedTasks, recovered } = state;
  return {
    snapshot: state.snapshot(),
    orders: [calls, questions, streams, continuations.tasks, receivedTasks.requests].map((map) => [...map]),
    closed: questions.closed,
    recovered,
    tail,
  };
}

describe('the mirror of a log', () => {
  it('is what the recorder has, after any entries, whatever time they take', async () => {
    const chances = fc.infiniteStream(fc.double({ min: 0, max: 0.89, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(draft, { maxLength: 12 }), { maxLength: 8 }),
        chances,
        async (batches, chance) => {
          const redactor = new Redactor();
          const here = openLocalLog({ server: 's', clock, redactor });
          const there = openRemoteLog({ server: 's', clock, redactor }, () => chance.next().value as number);
          const emitted: Record<'here' | 'there', unknown[]> = { here: [], there: [] };
          for (const [name, log] of Object.entries({ here, there }) as ['here' | 'there', ServerLog][]) {
            log.appended.on(({ packed }) => emitted[name].push(packed));
            log.changed.on((transitions) => emitted[name].push(transitions));
            for (const drafts of batches) log.append(...drafts);
            await log.folded();
          }
          expect(shown(there)).toEqual(shown(here));
          expect(emitted.there).toEqual(emitted.here);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has what led to an answer before the answer comes', async () => {
    const redactor = new Redactor();
    const log = openRemoteLog({ server: 's', clock, redactor });
    log.append({ body: { kind: 'call', callId: 'a', change: sending } });
    const frames = [{ id: 'e1', data: JSON.stringify({ jsonrpc: '2.0', id: 'a', result: {} }) }];
    const of = { stream: 'a', callId: 'a', replaying: false };
    const recorded = log.openExchange(false).record(frames, of);
    expect(log.state.calls.size).toBe(0);
    expect(await recorded).toMatchObject({ eventId: 'e1', responses: ['a'], isNew: true });
    expect(log.state.calls.get('a')).toMatchObject({ name: 'settled', result: {} });
  });

  it('never has a secret that this page knew before it was recorded', async () => {
    const redactor = new Redactor();
    redactor.protectValues(['known-before']);
    const log = openRemoteLog({ server: 's', clock, redactor });
    redactor.protectArguments(['learned-later']);
    const text = 'known-before learned-later';
    log.append({ body: { kind: 'note', level: 'info', reason: { code: 'lists-failed', text } } });
    await log.folded();
    expect(JSON.stringify(log.tail)).not.toMatch(/known-before|learned-later/);
  });
});
