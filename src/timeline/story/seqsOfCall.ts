/** The numbers of all entries of a call, without the entries themselves. */
import type { LogIndex } from '../logIndex.ts';
import { SeqList, type Seqs } from '../seqs.ts';
import type { CallSpan } from '../span.ts';

export function seqsOfCall(index: LogIndex, { callId, first }: CallSpan): Seqs {
  const seqs = new SeqList();
  for (let i = index.positionOf(first); i < index.length;) {
    const end = index.alikeUntil(i);
    // Entries that share a shape belong to the call all, or none of them does.
    if (index.shapeAt(i).callId === callId) for (let k = i; k < end; k += 1) seqs.push(index.seqAt(k));
    i = end;
  }
  return seqs;
}
