/** One entry as one line of the list: what it is, told in words and by a shape. */
import type { Entry } from '../log/entry/entry.ts';
import type { EntryLine } from './drawnKind.ts';
import { drawnKindOf } from './entryKinds.ts';
import type { Shape } from './shape.ts';
import { shortStream } from './shortStream.ts';

export function describeEntry(entry: Entry): EntryLine {
  const kind = drawnKindOf(entry);
  return {
    mark: kind.mark(entry),
    kind: entry.kind,
    gist: '',
    tone: 'plain',
    stream: 'stream' in entry ? shortStream(entry.stream) : '',
    ...kind.line(entry),
  };
}

/** What is known of an entry that was not read yet. */
export function describeOutline(seq: number, shape: Shape | undefined): EntryLine {
  return {
    mark: shape?.mark ?? 'plain',
    kind: shape?.kind ?? '',
    label: shape?.method ?? '',
    gist: `loading…`,
    stream: shape ? shortStream(shape.stream) : '',
    tone: 'plain',
  };
}

/** Why it is as it is, where that is not plain to see. */
export function whyOf(entry: Entry): string | undefined {
  return drawnKindOf(entry).why(entry);
}
