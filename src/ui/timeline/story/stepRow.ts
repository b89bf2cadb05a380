/** The row that a key leads to. What is folded comes as its row; the heading of what is shown is passed over. */
import type { ExchangeRow } from '../../../timeline/story/exchangeRows.ts';

export function stepRow(
  rows: readonly ExchangeRow[],
  picked: string | undefined,
  by: number,
): ExchangeRow | undefined {
  const at = rows.findIndex(({ id }) => id === picked);
  const to = Math.min(rows.length - 1, Math.max(0, at + by));
  const row = rows[to];
  if (row?.kind !== 'earlier' || row.isFolded) return row;
  return rows[to + Math.sign(by)] ?? row;
}

/** Selects a row. What is folded is shown, with its newest row selected if a key led there. */
export function pickRow(server: Picked, row: ExchangeRow, by: 'key' | 'pointer'): void {
  if (row.kind !== 'earlier') {
    server.selection.pickRow(row.id);
    return;
  }
  server.timeline.change({ earlier: row.isFolded ? 'shown' : 'folded' });
  const newest = row.rows[0];
  if (row.isFolded && by === 'key' && newest) server.selection.pickRow(newest.id);
}

interface Picked {
  readonly selection: { readonly pickRow: (id: string) => void };
  readonly timeline: { readonly change: (change: { earlier: 'folded' | 'shown' }) => void };
}
