import { expect, test } from 'vitest';
import { readLimits } from './callLimits.ts';

test.each([
  [{}, 120, 5],
  [{ timeoutS: '2.5', backgroundMin: '0' }, 2.5, 0],
  [{ timeoutS: '0', backgroundMin: '90' }, 1, 30],
  [{ timeoutS: 'soon', backgroundMin: '' }, 120, 5],
])('%j means %d s, then %d min', (kept: Record<string, string>, seconds, minutes) => {
  const limits = readLimits({ place: { read: (name) => kept[name] }, settings: {} });
  expect(limits).toEqual({ timeoutMs: seconds * 1000, backgroundMs: minutes * 60_000 });
});

test('the timeout of the server holds where none was set here', () => {
  const settings = { timeoutMs: 7000 };
  expect(readLimits({ place: { read: () => undefined }, settings }).timeoutMs).toBe(7000);
  expect(readLimits({ place: { read: () => '3' }, settings }).timeoutMs).toBe(3000);
});
