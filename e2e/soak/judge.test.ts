import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, type Fate, type ShownCall, type Trial } from './judge.ts';
import type { Run } from './ledger.ts';
import { findSoakServer } from './servers.ts';

const TEXTS = ['a/r/1', 'a/r/2', 'a/r/3'];
const RUN: Run = {
  key: 'a',
  startedAt: 1000,
  sent: TEXTS.map((text, i) => ({ text, at: 1100 + i })),
  answers: [],
  end: { how: 'done', text: 'a/r/done', at: 1200 },
};
const CALL: ShownCall = {
  key: 'a',
  name: 'settled',
  isOver: true,
  messages: TEXTS,
  result: 'a/r/done',
  responses: 1,
  hasEventId: true,
};
const TRIAL: Trial = {
  server: findSoakServer('resumable'),
  asked: [{ key: 'a', at: 990, wasAccepted: true }],
  runs: [RUN],
  shown: [CALL],
  disturbed: [],
  wasRestarted: false,
  wasFull: false,
  pageErrors: [],
};
const server = (name: string) => ({ server: findSoakServer(name) });
const unknown: ShownCall = {
  key: 'a',
  name: 'unknown',
  isOver: true,
  messages: [],
  responses: 0,
  hasEventId: false,
};
const fateOf = (change: Partial<Trial>): Fate | undefined => judge({ ...TRIAL, ...change }).calls[0]?.fate;

describe('a call that settled', () => {
  it.each<[string, Partial<Trial>, Fate]>([
    ['is whole', {}, 'whole'],
    ['lacks a message', { shown: [{ ...CALL, messages: TEXTS.slice(1) }] }, 'lost'],
    ['has a message twice', { shown: [{ ...CALL, messages: [...TEXTS, 'a/r/2'] }] }, 'twice'],
    ['has messages out of order', { shown: [{ ...CALL, messages: [...TEXTS].reverse() }] }, 'wrong'],
    ['has two responses', { shown: [{ ...CALL, responses: 2 }] }, 'twice'],
    ['has a message that was never sent', { shown: [{ ...CALL, messages: [...TEXTS, 'a/x/1'] }] }, 'wrong'],
    ['has a result that was never given', { shown: [{ ...CALL, result: 'a/x/done' }] }, 'wrong'],
    ['has a result of a server that never ran it', { runs: [] }, 'wrong'],
    ['is shown twice', { shown: [CALL, CALL] }, 'twice'],
    ['was run twice', { runs: [RUN, RUN] }, 'run-twice'],
    ['was run twice by a server that does that', { runs: [RUN, RUN], ...server('runs-twice') }, 'whole'],
    [
      'was run again with the answers',
      { runs: [{ ...RUN, end: { how: 'asked', text: '', at: 0 } }, RUN] },
      'whole',
    ],
    [
      'lacks a message of a server that can’t replay',
      { shown: [{ ...CALL, messages: [] }], ...server('no-replay') },
      'told',
    ],
    ['lacks messages of a task', { shown: [{ ...CALL, messages: [] }], ...server('modern-tasks') }, 'whole'],
  ])('%s', (_, change, fate) => {
    expect(fateOf(change)).toBe(fate);
  });
});

describe('a call that did not settle', () => {
  const death = { from: 1050, to: 1300 };
  it.each<[string, Partial<Trial>, Fate]>([
    ['and had an event ID', { shown: [{ ...unknown, hasEventId: true }], disturbed: [death] }, 'lost'],
    ['because the page died too soon', { shown: [unknown], disturbed: [death] }, 'blind'],
    ['although nothing happened', { shown: [unknown] }, 'lost'],
    [
      'although its ID was sent long before',
      { shown: [unknown], disturbed: [{ from: 9000, to: 9100 }] },
      'lost',
    ],
    [
      'and died before the first message, where that has the ID',
      { shown: [unknown], disturbed: [{ from: 3590, to: 3600 }], ...server('no-priming') },
      'blind',
    ],
    ['because the server was restarted', { shown: [unknown], wasRestarted: true }, 'told'],
    ['because the server can’t replay', { shown: [unknown], ...server('no-replay') }, 'told'],
    ['because it never ran', { shown: [unknown], runs: [] }, 'not-run'],
    ['and is still open', { shown: [{ ...unknown, name: 'open', isOver: false }] }, 'lost'],
    ['and is not known to the page', { shown: [] }, 'lost'],
    ['and was not made', { shown: [], runs: [] }, 'not-run'],
  ])('%s', (_, change, fate) => {
    expect(fateOf(change)).toBe(fate);
  });
});

it('names page errors and waits without an end', () => {
  const { problems } = judge({
    ...TRIAL,
    pageErrors: ['TypeError: x'],
    stuck: 'It took more than 30 s to connect.',
  });
  expect(problems).toEqual(['page error: TypeError: x', 'stuck: It took more than 30 s to connect.']);
});

it('accepts what the server sent, in its order and once, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TEXTS), { maxLength: 6 }), (messages) => {
      const isWhole = JSON.stringify(messages) === JSON.stringify(TEXTS);
      expect(fateOf({ shown: [{ ...CALL, messages }] }) === 'whole').toBe(isWhole);
    }),
  );
});
