import { describe, expect, it } from 'vitest';
import type { Call } from '../../log/state/call.ts';
import type { Round } from '../../log/state/callContinuations.ts';
import { decideStatelessFates, reloadedWith } from './statelessFates.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';

const call = (id: string, more: Partial<Call> = {}) =>
  ({
    id,
    server: 's',
    tool: 't',
    args: {},
    name: 'open',
    startedAt: 0,
    timeoutMs: 1,
    repeatable: false,
    received: 0,
    replayed: 0,
    duplicates: 0,
    era: 'stateless',
    ...more,
  }) as Call;
const round = (callId: string, isSent: boolean): [string, Round] => [
  callId,
  { callId, number: 1, keys: ['k'], answers: {}, isSent },
];
const decide = (calls: Call[], rounds: [string, Round][] = []) =>
  decideStatelessFates(calls, { rounds: new Map(rounds) });

describe('a reload on a stateless server', () => {
  it('cancels a plain call, and says that it was the reload', () => {
    expect(decide([call('a'), call('b', { name: 'sending' })])).toMatchObject([
      { name: 'cancelled', callId: 'a' },
      { name: 'cancelled', callId: 'b' },
    ]);
  });

  it('goes on with a task', () => {
    expect(decide([call('a', { taskId: 't' })])).toEqual([{ name: 'task', callId: 'a' }]);
  });

  it('keeps a question with its state', () => {
    expect(decide([call('a', { name: 'needs-input' })], [round('a', false)])).toEqual([
      { name: 'question', callId: 'a' },
    ]);
  });

  it('cancels a call whose answer had left already', () => {
    expect(decide([call('a')], [round('a', true)])).toMatchObject([{ name: 'cancelled' }]);
  });

  it('does not count what was read as a call: it is read again', () => {
    const fates = decide([call('a', { method: 'resources/read' })]);
    expect(fates).toMatchObject([{ name: 'dropped' }]);
    expect(reasonText(reloadedWith(fates))).toBe('Stateless server: nothing to resume.');
  });

  it('leaves what is over alone', () => {
    expect(decide([call('a', { name: 'settled' })])).toEqual([]);
  });

  it('is told in a sentence', () => {
    const fates = [{ name: 'task' }, { name: 'cancelled' }, { name: 'cancelled' }] as const;
    expect(reasonText(reloadedWith(fates))).toBe('1 task resumed. 2 calls cancelled by the reload.');
    expect(reasonText(reloadedWith([]))).toBe('Stateless server: nothing to resume.');
  });
});
