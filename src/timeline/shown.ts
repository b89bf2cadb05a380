/** Which part of time is on the screen: all of it, a part that stays, or one that goes along with the newest entry. */
import type { LogIndex } from './logIndex.ts';
import { fit, TimeScale, type TimeRange } from './timeScale.ts';

/** A longer log begins with its newest part on the screen. */
const ALL_UP_TO_MS = 600_000;
const NEWEST_MS = 120_000;
/** Computing in shares of the width needs no screen. */
const UNIT = 1000;

/** From the first entry to the last one, or to now. */
export function extentOf(index: LogIndex, now = 0): TimeRange {
  if (index.length === 0) return { from: now - 1000, to: now };
  const from = index.timeAt(0);
  return { from, to: Math.max(from + 1, index.timeAt(index.length - 1), now) };
}

export function shownRange(
  set: { readonly shown: TimeRange | undefined; readonly isFollowing: boolean },
  extent: TimeRange,
): TimeRange {
  if (!set.shown) {
    const isLong = extent.to - extent.from > ALL_UP_TO_MS;
    return rangeOf(fit(isLong ? { from: extent.to - NEWEST_MS, to: extent.to } : extent, UNIT));
  }
  return set.isFollowing ? rangeOf(new TimeScale(set.shown, UNIT).endingAt(extent.to)) : set.shown;
}

export function zoomed(shown: TimeRange, factor: number, share = 0.5): TimeRange {
  return rangeOf(new TimeScale(shown, UNIT).zoom(factor, share * UNIT));
}

export function panned(shown: TimeRange, share: number): TimeRange {
  return rangeOf(new TimeScale(shown, UNIT).pan(share * UNIT));
}

/** Moved as little as possible so that this moment can be seen. */
export function withMoment(shown: TimeRange, time: number): TimeRange {
  return rangeOf(new TimeScale(shown, UNIT).showing(time));
}

export function fitted(range: TimeRange): TimeRange {
  return rangeOf(fit(range, UNIT));
}

const rangeOf = ({ from, to }: TimeScale): TimeRange => ({ from, to });
