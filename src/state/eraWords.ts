/** What a server's way of the protocol means, in words. */
import { duration } from '../base/words.ts';
import { isFresh, type CacheHint } from '../log/cacheHint.ts';
import type { EraVerdict } from '../log/era.ts';

export function eraWords({ era, transport }: EraVerdict): string {
  if (transport) return 'over the old HTTP+SSE transport: a session ends with its page';
  return era === 'stateless'
    ? 'without sessions: every request stands by itself, and a closed stream cancels its call'
    : 'with sessions';
}

/** "for 4 min more, by anybody", "must be asked for anew" */
export function cacheWords(hint: CacheHint, now: number): string {
  if (!isFresh(hint, now)) return 'must be asked for anew';
  const who = hint.scope === 'public' ? 'by anybody' : 'by you alone';
  return `for ${duration(hint.at + hint.ttlMs - now)} more, ${who}`;
}
