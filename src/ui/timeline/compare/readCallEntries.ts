/** The entries of one call, in order. */
import type { TimelineView } from '../../../state/timelineView.svelte.ts';
import type { Entry } from '../../../log/entry/entry.ts';
import type { CallSpan } from '../../../timeline/span.ts';

/** More rows than this nobody compares by eye. */
const MOST_ENTRIES = 2000;

export async function readCallEntries(view: TimelineView, call: CallSpan): Promise<readonly Entry[]> {
  const index = view.engine?.index;
  if (!index) return [];
  const seqs: number[] = [];
  const end = index.positionOf((call.last ?? Infinity) + 1);
  for (let i = index.positionOf(call.first); i < end && seqs.length < MOST_ENTRIES; i += 1) {
    if (index.shapeAt(i).callId === call.callId) seqs.push(index.seqAt(i));
  }
  return view.readEntries(seqs);
}
