import { describe, expect, it } from 'vitest';
import type { EraVerdict, SessionsFound } from '../../log/protocol/era.ts';
import { cacheWords, eraWords, wayWords } from './eraWords.ts';
import { recorded } from '../../log/reasons/reason.ts';

const hint = { method: 'tools/list', ttlMs: 300_000, scope: 'public', at: 0 } as const;

describe('the words for an era', () => {
  it('say how long a list may be cached, and by whom', () => {
    expect(cacheWords(hint, 60_000)).toBe('public, expires in 4 min');
    expect(cacheWords({ ...hint, scope: 'private' }, 60_000)).toBe('private, expires in 4 min');
    expect(cacheWords(hint, 300_000)).toBe('expired');
  });

  it('say what a closed stream means', () => {
    const verdict = { era: 'stateless', protocolVersion: '2026-07-28', reason: recorded(''), at: 0 } as const;
    expect(eraWords(verdict)).toContain('a reload cancels');
    expect(eraWords({ ...verdict, era: 'session' })).toBe('with sessions');
  });

  it.each<[EraVerdict['era'], SessionsFound['name'], string, string | undefined]>([
    ['session', 'resumable', 'a reload can resume calls there', 'stateless'],
    ['session', 'refused', 'the server rejected a resume there', 'stateless'],
    ['stateless', 'refused', 'it rejected a resume there', 'session'],
    ['session', 'no-event-ids', 'no event IDs were seen there', 'stateless'],
    ['stateless', 'resumable', 'With sessions, a reload can resume them.', 'session'],
    ['stateless', 'no-event-ids', 'they have no event IDs', 'session'],
    ['stateless', 'none', 'The server has no sessions.', undefined],
    ['stateless', 'untried', 'no sign of sessions', 'session'],
    ['stateless', 'unknown', 'may also have sessions', 'session'],
  ])('say what is used and what else there is: %s where sessions are %s', (era, name, words, other) => {
    const sessions = { name, checkedAt: 7, server: 's 1' };
    const way = wayWords({ era, protocolVersion: '2025-11-25', reason: recorded(''), at: 9, sessions });
    expect(way).toMatchObject({ sentence: expect.stringContaining(words) as string, checkedAt: 7 });
    expect(way?.other?.era).toBe(other);
  });

  it('say nothing of sessions where nothing was tried', () => {
    expect(
      wayWords({ era: 'session', protocolVersion: '2025-11-25', reason: recorded(''), at: 0 }),
    ).toBeUndefined();
  });
});
