/** An entry without what messages say: each kind names what stays. */
import type { Entry } from '../../log/entry/entry.ts';
import { fileKindOf } from './entryKinds.ts';

export function bare(entry: Entry): Entry {
  const { seq, at, load } = entry;
  return { seq, at, load, ...fileKindOf(entry).bare(entry) };
}
