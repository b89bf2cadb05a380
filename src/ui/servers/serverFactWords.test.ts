import { expect, it } from 'vitest';
import { serverFactWords } from './serverFactWords.ts';

it('says when a server was added and connected, and what went wrong last', () => {
  const lastError = { at: 40_000, state: 'reconnecting', reason: 'offline' } as const;
  const last = { lastConnectedAt: 95_000, lastError };
  expect(serverFactWords({ addedAt: 0, addedBy: 'link' }, last, 100_000)).toBe(
    'Added 100 s ago by link · Connected 5 s ago · Last error 60 s ago (offline)',
  );
});

it('leaves out what an earlier version did not keep', () => {
  expect(serverFactWords({}, {}, 5)).toBe('');
});
