import { describe, expect, test } from 'vitest';
import type { Call } from '../../log/state/call.ts';
import { countWords, failureWords, outcomeOf, stateWords } from './callWords.ts';
import { recorded } from '../../log/reasons/reason.ts';

const call = (more: Partial<Call>) =>
  ({
    id: 'a',
    server: 's',
    tool: 't',
    args: {},
    name: 'settled',
    startedAt: 0,
    timeoutMs: 1,
    repeatable: true,
    received: 1,
    replayed: 0,
    duplicates: 0,
    ...more,
  }) as Call;

describe('what became of a call', () => {
  test.each<[Partial<Call>, string, object]>([
    [{ name: 'sending' }, 'sending', { name: 'running' }],
    [{ name: 'open' }, 'running', { name: 'running' }],
    [{ name: 'needs-input' }, 'needs your input', { name: 'running' }],
    [{ result: { content: [] } }, 'done', { name: 'done' }],
    [
      { isResultRemoved: true },
      'done',
      {
        name: 'without-result',
        sentence:
          'The log was full, so the result was removed from it. Call the tool again to get a new one.',
      },
    ],
    [
      { resultRemovedAt: 1, resultSeq: 5 },
      'done',
      { name: 'without-result', sentence: 'Call the tool again to get a new one.' },
    ],
    [{ result: { content: [], isError: true } }, 'tool error', { name: 'tool-error' }],
    [
      { error: { code: -32050, message: 'Crashed' } },
      'protocol error',
      { name: 'protocol-error', sentence: 'Crashed' },
    ],
    [
      { error: { code: -32021, message: 'No' }, rounds: 1 },
      'protocol error',
      {
        name: 'protocol-error',
        sentence:
          'No The server requires a client capability that Reprise doesn’t declare. ' +
          'The saved request state may have expired. Call the tool again.',
      },
    ],
    [
      { error: { code: 413, message: 'Too big' } },
      'rejected',
      { name: 'protocol-error', sentence: 'The server rejected the call (HTTP 413): Too big' },
    ],
    [
      { error: { code: 0, message: 'Closed' } },
      'rejected',
      { name: 'protocol-error', sentence: 'Not sent: Closed' },
    ],
    [{ name: 'lost', reason: recorded('Gone.') }, 'lost', { name: 'without-result', sentence: 'Gone.' }],
    [
      { name: 'unknown', reason: recorded('Left.') },
      'outcome unknown',
      { name: 'without-result', sentence: 'Left.' },
    ],
    [
      { name: 'unknown', reason: { code: 'no-session' }, repeatable: false },
      'outcome unknown',
      {
        name: 'without-result',
        sentence:
          'This server doesn’t use sessions, so this call can’t be resumed. The tool may have run. Check before calling it again.',
      },
    ],
    [
      { name: 'unknown', reason: { code: 'no-session' }, repeatable: true },
      'outcome unknown',
      {
        name: 'without-result',
        sentence: 'This server doesn’t use sessions, so this call can’t be resumed. The tool may have run.',
      },
    ],
    [{ name: 'cancelled', reason: recorded('You.') }, 'cancelled', { name: 'without-result' }],
    [{ name: 'expired', reason: recorded('Late.') }, 'expired', { name: 'without-result' }],
  ])('%j is “%s”', (more, words, outcome) => {
    expect(stateWords(call(more))).toBe(words);
    expect(outcomeOf(call(more))).toMatchObject(outcome);
  });

  test('counts what was received, replayed and dropped', () => {
    expect(countWords(call({}))).toBe('1 message');
    expect(countWords(call({ received: 24, replayed: 4, duplicates: 2 }))).toBe(
      '24 messages, 4 replayed, 2 duplicates dropped',
    );
  });
});

describe('a result that was removed to free space', () => {
  const DAY_MS = 24 * 3_600_000;

  test('says so, and when', () => {
    const removed = call({ resultRemovedAt: 1000 });
    expect(failureWords(removed, 1000 + 3.4 * DAY_MS)).toBe('Result removed to free space, 3 days ago');
    expect(failureWords(removed, 1500)).toBe('Result removed to free space, just now');
  });

  test('is shown as long as this page has it', () => {
    const result = { content: [], isError: true };
    expect(failureWords(call({ resultRemovedAt: 1, result }))).toBe('Tool error');
    const error = { code: -32050, message: 'Crashed' };
    expect(failureWords(call({ resultRemovedAt: 1, error }))).toBe('Protocol error -32050');
  });
});
