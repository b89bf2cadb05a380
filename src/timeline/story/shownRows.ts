/** Which rows the list of calls shows. */
import type { LoadSpan } from '../span.ts';
import type { TimeRange } from '../timeScale.ts';
import { endedAt, inOrder, isRunning, spansOf, type ExchangeRow } from './exchangeRows.ts';

export type Chip = 'all' | 'running' | 'errors' | 'tools' | 'load';

export interface Wanted {
  readonly chip: Chip;
  readonly showsPlumbing: boolean;
  readonly range: TimeRange | undefined;
  /** Rows that began before this entry were cleared from the list. */
  readonly clearedSeq: number;
  readonly load: LoadSpan | undefined;
  /** Does the filter let it through? */
  readonly matches: ((row: ExchangeRow) => boolean) | undefined;
}

const BAD: ReadonlySet<string> = new Set(['failed', 'lost', 'unknown', 'expired']);

export function shownRows(rows: readonly ExchangeRow[], wanted: Wanted): readonly ExchangeRow[] {
  return inOrder(rows.filter((row) => isShown(row, wanted)));
}

function isShown(row: ExchangeRow, wanted: Wanted): boolean {
  const { chip, showsPlumbing, range, clearedSeq, load, matches } = wanted;
  if (row.kind === 'plumbing' && !showsPlumbing) return false;
  if (row.first < clearedSeq && !isRunning(row)) return false;
  if (range && !(row.from <= range.to && (endedAt(row) ?? Infinity) >= range.from)) return false;
  if (matches && !matches(row)) return false;
  switch (chip) {
    case 'all':
      return true;
    case 'running':
      return isRunning(row);
    case 'errors':
      return spansOf(row).some(({ end }) => BAD.has(end));
    case 'tools':
      return row.kind === 'call';
    case 'load':
      return load === undefined || (endedAt(row) ?? Infinity) >= load.from;
  }
}
