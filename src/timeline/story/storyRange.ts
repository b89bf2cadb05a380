/** Which part of the log the calls are drawn from by themselves: what is running, what is selected, and the newest. */
import { fit, type TimeRange } from '../timeScale.ts';
import { endedAt, isRunning, type ExchangeRow } from './exchangeRows.ts';

/** So many of the newest rows are in the picture, and in the list before what is folded. */
export const NEWEST = 12;
const UNIT = 1000;
/** What took a few milliseconds isn't stretched over the whole width. */
const AT_LEAST_MS = 1000;

export function storyRange(
  /** Oldest first. */
  rows: readonly ExchangeRow[],
  selected: string | undefined,
  extent: TimeRange,
): TimeRange {
  const newest = rows.slice(-NEWEST);
  const picked = rows.find(({ id }) => id === selected);
  if (picked && !newest.includes(picked) && !isRunning(picked)) {
    return padded({ from: picked.from, to: endedAt(picked) ?? extent.to });
  }
  const shown = [...newest, ...rows.filter(isRunning)];
  if (shown.length === 0) return padded(extent);
  const from = shown.reduce((first, row) => Math.min(first, row.from), Infinity);
  return padded({ from, to: Math.max(extent.to, from + AT_LEAST_MS) });
}

function padded(range: TimeRange): TimeRange {
  const { from, to } = fit(range, UNIT);
  return { from, to };
}
