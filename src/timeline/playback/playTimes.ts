/** The times of a log that is played: never earlier than the entry before, as in the lanes. */
import { Folds } from '../story/folds.ts';
import type { Entry } from '../../log/entry/entry.ts';

/** Longer pauses can be shortened to what follows. */
const LONG_PAUSE_MS = 2000;
const SHORTENED_MS = 800;

export function timesOf(entries: readonly Pick<Entry, 'at'>[]): readonly number[] {
  let latest = -Infinity;
  return entries.map(({ at }) => (latest = Math.max(latest, at)));
}

/** How many entries there are up to this time, with those at this time. */
export function countUntil(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The time of the next entry, or of the one before. */
export function timeBeside(times: readonly number[], time: number, by: 1 | -1): number {
  const count = countUntil(times, time);
  if (by > 0) return times[count] ?? time;
  const now = times[count - 1] ?? time;
  return times[countUntil(times, now - 1) - 1] ?? times[0] ?? time;
}

/** The long pauses, shortened: nobody watches 17 seconds of nothing. */
export function pausesOf(times: readonly number[]): Folds {
  const long = times.flatMap((to, i) => {
    const from = times[i - 1] ?? to;
    return to - from > LONG_PAUSE_MS ? [{ from, to }] : [];
  });
  return new Folds(long, SHORTENED_MS);
}
