/** Everything that one picture of the calls depends on. */
import type { ExchangeRow } from '../../../timeline/story/exchangeRows.ts';
import type { FoldedScale } from '../../../timeline/story/foldedScale.ts';
import type { LogIndex } from '../../../timeline/logIndex.ts';
import type { Shape } from '../../../timeline/shape.ts';
import type { Seqs } from '../../../timeline/seqs.ts';
import type { QuestionSpan } from '../../../timeline/span.ts';
import type { TimeRange } from '../../../timeline/timeScale.ts';
import type { Palette } from './palette.ts';

export interface StoryScene {
  readonly index: LogIndex;
  /** From top to bottom. */
  readonly rows: readonly ExchangeRow[];
  readonly rowOf: (shape: Shape) => readonly number[];
  readonly questionsOf: (row: ExchangeRow) => readonly QuestionSpan[];
  readonly scale: FoldedScale;
  readonly height: number;
  /** How far the rows are scrolled down. */
  readonly top: number;
  readonly rowHeight: number;
  readonly headHeight: number;
  /** 1 in the app; larger for a room. */
  readonly size: number;
  readonly palette: Palette;
  /** Where bars end that have no end yet. */
  readonly now: number;
  readonly isGoingOn: boolean;
  /** With a filter, only these are drawn. */
  readonly found: Seqs | undefined;
  readonly selected: string | undefined;
  readonly range: TimeRange | undefined;
  /** How far the missed events that came at a time are on their way from the gap, from 0 to 1. */
  readonly arrived: (row: ExchangeRow, time: number) => number;
}

type Sizes = Pick<StoryScene, 'top' | 'rowHeight' | 'headHeight'>;

export function middleOf({ top, rowHeight, headHeight }: Sizes, row: number): number {
  return headHeight + row * rowHeight + rowHeight / 2 - top;
}

export function rowAt({ top, rowHeight, headHeight }: Sizes, y: number): number {
  return y < headHeight ? -1 : Math.floor((y - headHeight + top) / rowHeight);
}

/** The rows that can be seen, by their numbers. */
export function seenRows({
  top,
  rowHeight,
  headHeight,
  height,
  rows,
}: StoryScene): readonly [number, number] {
  const first = Math.max(0, Math.floor(top / rowHeight));
  return [first, Math.min(rows.length, Math.ceil((top + height - headHeight) / rowHeight))];
}
