import { expect, test } from 'vitest';
import type { Question } from '../../log/state/question.ts';
import { isUndone, timeLeft, unlocks } from './questionWords.ts';
import { closedKey, readDismissed } from './unread.ts';
import { recorded } from '../../log/reasons/reason.ts';

const question = (method: string, params: object = {}): Question => ({
  id: '1',
  rpcId: 1,
  server: 's',
  method,
  params,
  askedAt: 1000,
});
const elicitation = question('elicitation/create');

test('says how long a question still waits, and what happens then', () => {
  expect(timeLeft(elicitation, 600_000, 1000)).toBe('cancelled in 10 min');
  expect(timeLeft(elicitation, 600_000, 595_500)).toBe('cancelled in 6 s');
  expect(timeLeft(question('sampling/createMessage'), 60_000, 1000)).toBe('declined in 60 s');
  expect(timeLeft(elicitation, 60_000, 90_000)).toBe('timed out, cancelled');
});

test('what was begun at an address is undone until the server says so', () => {
  const opened = {
    question: question('elicitation/create', { mode: 'url' }),
    at: 1,
    reason: recorded('The address was opened.'),
  };
  expect(isUndone(opened)).toBe(true);
  expect(isUndone({ ...opened, completedAt: 2 })).toBe(false);
  expect(isUndone({ ...opened, reason: recorded('Declined automatically.') })).toBe(false);
  expect(isUndone({ ...opened, question: elicitation })).toBe(false);
});

test('what was dismissed comes back, and nothing where it cannot be read', () => {
  const closed = { question: elicitation, at: 1, reason: recorded('') };
  expect(readDismissed(JSON.stringify([closedKey(closed)])).has(closedKey(closed))).toBe(true);
  expect([undefined, '{', '7'].map((text) => readDismissed(text).size)).toEqual([0, 0, 0]);
});

test('a call can be made again when all that it required is done', () => {
  const required = (id: string, completedAt?: number) => ({
    question: { ...elicitation, id, callId: 'c', via: { kind: 'required' as const } },
    at: 1,
    reason: recorded('The address was opened.'),
    ...(completedAt !== undefined && { completedAt }),
  });
  const [done, undone] = [required('1', 2), required('2')];
  expect(unlocks(done, [done], [])).toBe(true);
  expect(unlocks(done, [done, undone], [])).toBe(false);
  expect(unlocks(done, [done], [undone.question])).toBe(false);
  expect(unlocks({ ...done, question: elicitation }, [], [])).toBe(false);
});
