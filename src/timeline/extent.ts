/** How far a log reaches: from the first entry to the last one, or to now. */
import type { LogIndex } from './logIndex.ts';
import type { TimeRange } from './timeScale.ts';

export function extentOf(index: LogIndex, now = 0): TimeRange {
  if (index.length === 0) return { from: now - 1000, to: now };
  const from = index.timeAt(0);
  return { from, to: Math.max(from + 1, index.timeAt(index.length - 1), now) };
}
