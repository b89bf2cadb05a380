import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { Completer, type Completions } from './completer.ts';

function setUp() {
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    random: () => 0,
    after: (_delayMs, fn) => {
      timers.add(fn);
      return () => timers.delete(fn);
    },
  };
  const asked: string[] = [];
  const answers = new Map<string, (answer: unknown) => void>();
  const shown: Completions[] = [];
  const completer = new Completer(
    clock,
    (value) => {
      asked.push(value);
      return new Promise((resolve, reject) => {
        answers.set(value, (answer) => {
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        });
      });
    },
    (completions) => shown.push(completions),
  );
  const rest = () => {
    for (const fn of [...timers]) if (timers.delete(fn)) fn();
  };
  const answer = async (value: string, answerWith: unknown) => {
    answers.get(value)?.(answerWith);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { completer, asked, shown, rest, answer };
}

const of = (...values: string[]) => ({ completion: { values } });

describe('completions', () => {
  it('are asked for when the typing rests, not at each key', () => {
    const { completer, asked, rest } = setUp();
    completer.typed('b');
    completer.typed('be');
    completer.typed('ber');
    rest();
    expect(asked).toEqual(['ber']);
  });

  it('of an older text are dropped, whenever they come', async () => {
    const { completer, shown, rest, answer } = setUp();
    completer.typed('a');
    rest();
    completer.typed('b');
    rest();
    await answer('b', of('Berlin'));
    await answer('a', of('Athens'));
    expect(shown.map(({ values }) => values)).toEqual([['Berlin']]);
  });

  it('are none once nobody waits for them', async () => {
    const { completer, shown, rest, answer } = setUp();
    completer.typed('a');
    rest();
    completer.stop();
    await answer('a', of('Athens'));
    expect(shown).toEqual([]);
  });

  it('are none where the server refuses or answers with something else', async () => {
    const { completer, shown, rest, answer } = setUp();
    for (const [value, answerWith] of [
      ['a', new Error('no')],
      ['b', { completion: { values: 'x' } }],
      ['c', { completion: { values: [1, 'C'], total: 7, hasMore: true } }],
    ] as const) {
      completer.typed(value);
      rest();
      await answer(value, answerWith);
    }
    expect(shown).toEqual([
      { values: [], hasMore: false },
      { values: [], hasMore: false },
      { values: ['C'], total: 7, hasMore: true },
    ]);
  });
});
