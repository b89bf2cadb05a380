import { describe, expect, it } from 'vitest';
import { cacheWords, eraWords } from './eraWords.ts';

const hint = { method: 'tools/list', ttlMs: 300_000, scope: 'public', at: 0 } as const;

describe('the words for an era', () => {
  it('say how long a list may be used again, and by whom', () => {
    expect(cacheWords(hint, 60_000)).toBe('for 4 min more, by anybody');
    expect(cacheWords({ ...hint, scope: 'private' }, 60_000)).toBe('for 4 min more, by you alone');
    expect(cacheWords(hint, 300_000)).toBe('must be asked for anew');
  });

  it('say what a closed stream means', () => {
    const verdict = { era: 'stateless', protocolVersion: '2026-07-28', why: '', at: 0 } as const;
    expect(eraWords(verdict)).toContain('a closed stream cancels');
    expect(eraWords({ ...verdict, era: 'session' })).toBe('with sessions');
  });
});
