/** "12 s ago", "3 days ago", and nothing finer than a person can tell. */
import { plural, duration } from '../../base/format.ts';

const DAY_MS = 24 * 3_600_000;

export function agoWords(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < 2000) return 'just now';
  if (ms >= 2 * DAY_MS) return `${plural(Math.floor(ms / DAY_MS), 'day')} ago`;
  return `${duration(Math.round(ms / 1000) * 1000).replace('.0 s', ' s')} ago`;
}
