/** How much happened when, in columns of a few pixels. */
import type { LogIndex } from './logIndex.ts';
import type { TimeScale } from './timeScale.ts';

export function columnsOf(index: LogIndex, scale: TimeScale, columnPx: number): Uint32Array {
  const columns = new Uint32Array(Math.ceil(scale.width / columnPx) + 1);
  const columnAt = (i: number): number => Math.floor(scale.x(index.timeAt(i)) / columnPx);
  for (let i = 0; i < index.length;) {
    const column = columnAt(i);
    const end = index.blockEnd(i);
    // A block that falls into one column is counted at once.
    const next = columnAt(end - 1) === column ? end : i + 1;
    columns[column] = (columns[column] ?? 0) + next - i;
    i = next;
  }
  return columns;
}
