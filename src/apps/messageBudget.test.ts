import { expect, test } from 'vitest';
import { BURST, isTooBig, newBudget, spend } from './messageBudget.ts';

function send(count: number, everyMs: number) {
  const verdicts = { pass: 0, drop: 0, stop: 0 };
  let budget = newBudget(0);
  for (let i = 0; i < count; i += 1) {
    const next = spend(budget, i * everyMs);
    budget = next.budget;
    verdicts[next.verdict] += 1;
  }
  return verdicts;
}

test('a burst passes up to its limit', () => {
  expect(send(BURST, 0)).toEqual({ pass: BURST, drop: 0, stop: 0 });
  expect(send(BURST + 10, 0)).toEqual({ pass: BURST, drop: 10, stop: 0 });
});

test('fifty messages a second pass for ever', () => {
  expect(send(5000, 20)).toEqual({ pass: 5000, drop: 0, stop: 0 });
});

test('a view that floods is stopped', () => {
  const { pass, stop } = send(100_000, 0.01);
  expect(pass).toBeLessThan(1300);
  expect(stop).toBeGreaterThan(0);
});

test('a message is too big by its text, its bytes or the number of its parts', () => {
  expect(isTooBig({ method: 'a', params: { text: 'x'.repeat(9_000_000) } })).toBe(false);
  expect(isTooBig({ method: 'a', params: { text: 'x'.repeat(11_000_000) } })).toBe(true);
  expect(isTooBig({ params: new Uint8Array(11_000_000) })).toBe(true);
  expect(isTooBig(Array.from({ length: 300_000 }, () => 0))).toBe(true);
});
