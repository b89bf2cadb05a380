/** Which rows the list of calls shows: what is running on top, then the newest, and earlier ones folded. */
import type { LoadSpan } from '../span.ts';
import type { TimeRange } from '../timeScale.ts';
import { endedAt, isRunning, spansOf, type EarlierRow, type ExchangeRow } from './exchangeRows.ts';
import { NEWEST } from './storyRange.ts';

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
  readonly earlier: Earlier;
  /** It's never folded. */
  readonly selected: string | undefined;
}

export type Earlier = 'folded' | 'shown';

/** Fewer are not worth a fold. */
const FOLDED_AT_LEAST = 3;

const BAD: ReadonlySet<string> = new Set(['failed', 'lost', 'unknown', 'expired']);

export function shownRows(rows: readonly ExchangeRow[], wanted: Wanted): readonly ExchangeRow[] {
  const running: ExchangeRow[] = [];
  const ended: ExchangeRow[] = [];
  for (const row of [...rows].reverse()) {
    if (isShown(row, wanted)) (isRunning(row) ? running : ended).push(row);
  }
  return [...running, ...withEarlier(ended, wanted)];
}

/** Who looks for something sees all that was found. */
function withEarlier(
  ended: readonly ExchangeRow[],
  { chip, range, matches, earlier, selected }: Wanted,
): readonly ExchangeRow[] {
  const rest = ended.slice(NEWEST);
  if (rest.length < FOLDED_AT_LEAST || chip !== 'all' || range || matches) return ended;
  const newest = ended.slice(0, NEWEST);
  if (earlier === 'shown') return [...newest, earlierRow(rest, false), ...rest];
  const picked = rest.filter(({ id }) => id === selected);
  return [...newest, ...picked, earlierRow(rest, true)];
}

function earlierRow(rows: readonly ExchangeRow[], isFolded: boolean): EarlierRow {
  const oldest = rows.at(-1);
  return {
    kind: 'earlier',
    id: 'earlier',
    name: 'earlier',
    first: oldest?.first ?? 0,
    from: oldest?.from ?? 0,
    isFolded,
    rows,
    spans: isFolded ? rows.flatMap(spansOf).reverse() : [],
  };
}

export const isBad = (row: ExchangeRow): boolean => spansOf(row).some(({ end }) => BAD.has(end));

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
      return isBad(row);
    case 'tools':
      return row.kind === 'call';
    case 'load':
      return load === undefined || (endedAt(row) ?? Infinity) >= load.from;
  }
}
