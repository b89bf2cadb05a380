/** How entries are stored: those that only count in runs, all others as they are. */
import type { Entry } from './entry.ts';
import type { EntryOf } from './entryKinds.ts';
import { COUNTED_METHODS, entriesOf, isRun, type Packed } from './entryRun.ts';
import { RunColumns } from './runColumns.ts';

type Counted = EntryOf<'received'> & { readonly method: string };

/** Packs what isn't packed yet. */
export function packEntries(items: readonly Packed[]): readonly Packed[] {
  const packed: Packed[] = [];
  for (let i = 0; i < items.length;) {
    const item = items[i];
    if (!item) break;
    const next = items[i + 1];
    if (isCounted(item) && next && continues(item, next, 1)) i = packRun(items, i, item, packed);
    else {
      packed.push(item);
      i += 1;
    }
  }
  return packed;
}

export function unpackEntries(packed: readonly Packed[]): readonly Entry[] {
  return packed.flatMap((item) => (isRun(item) ? entriesOf(item) : [item]));
}

/** @returns where the run ends */
function packRun(items: readonly Packed[], start: number, first: Counted, packed: Packed[]): number {
  const columns = new RunColumns();
  const times: number[] = [];
  let i = start;
  for (let entry: Packed | undefined = first; entry; entry = items[i]) {
    if (!continues(first, entry, i - start)) break;
    if (!columns.add(entry.raw, entry.eventId, entry)) break;
    addTime(times, entry.at);
    i += 1;
  }
  const { seq: firstSeq, load, stream, replayed } = first;
  packed.push({ firstSeq, load, times, stream, ...(replayed && { replayed }), ...columns.finish() });
  return i;
}

function isCounted(item: Packed): item is Counted {
  return !isRun(item) && item.kind === 'received' && COUNTED_METHODS.has(item.method ?? '');
}

function continues(first: Counted, next: Packed, distance: number): next is Counted {
  return (
    isCounted(next) &&
    next.seq === first.seq + distance &&
    next.stream === first.stream &&
    next.replayed === first.replayed &&
    next.load === first.load
  );
}

function addTime(times: number[], at: number): void {
  const last = times.length - 1;
  if (times[last - 1] === at) times[last] = (times[last] ?? 0) + 1;
  else times.push(at, 1);
}
