/** "12 s ago", and nothing finer than a person can tell. */
import { duration } from '../base/words.ts';

export function agoWords(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  return ms < 2000 ? 'just now' : `${duration(Math.round(ms / 1000) * 1000).replace('.0 s', ' s')} ago`;
}
