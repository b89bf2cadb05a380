/** Single events, each by its own shape; where they stand too close to be told apart, they are one band. */
import type { Mark } from '../../../timeline/drawnKind.ts';
import type { Shape } from '../../../timeline/shape.ts';
import type { LogIndex } from '../../../timeline/logIndex.ts';
import type { Seqs } from '../../../timeline/seqs.ts';
import type { TimeScale } from '../../../timeline/timeScale.ts';

/** Closer than this two marks cannot be told apart. */
const STEP = 2;
/** What matters more is drawn later. */
export const MARKS: readonly Mark[] = [
  'plain',
  'duplicate',
  'live',
  'replayed',
  'sent',
  'waiting',
  'answered',
  'unknown',
  'lost',
];

/** Marks of one kind in one lane without a gap between them, from place to place. */
interface Run {
  readonly lane: number;
  readonly mark: Mark;
  readonly from: number;
  to: number;
  /** How many they are, for those that are counted. */
  count: number;
}

/** What a replay brought comes all at once, so its number is said beside it. */
const COUNTED: ReadonlySet<Mark> = new Set(['replayed']);
/** Numbers closer than this, in steps, would stand on each other. */
const ROOM_OF_NUMBER = 14;
interface Drawn {
  readonly index: LogIndex;
  /** With a filter, only these are drawn. */
  readonly found: Seqs | undefined;
  /** For each shape, the rows that its entries are drawn in. */
  readonly lanesOf: (shape: Shape) => readonly number[];
  readonly scale: Pick<TimeScale, 'x' | 'time' | 'width'>;
  /** Nothing that is drawn is earlier than this. */
  readonly since?: number;
}

/** However many entries there are, no more runs than the screen has places. */
export function runsOf(scene: Drawn): readonly Run[] {
  const { index, lanesOf, scale } = scene;
  const order = new Map(MARKS.map((mark, i) => [mark, i]));
  const runs = MARKS.map((): Run[] => []);
  /** The last run of each lane and kind. */
  const last: (Run | undefined)[] = [];
  const place = (time: number): number => Math.round(scale.x(time) / STEP);
  const see = (shape: Shape, at: number, n: number): void => {
    const kind = order.get(shape.mark) ?? 0;
    const isCounted = COUNTED.has(shape.mark);
    const count = isCounted ? n : 0;
    const gap = isCounted ? ROOM_OF_NUMBER : 1;
    for (const lane of lanesOf(shape)) {
      const slot = lane * MARKS.length + kind;
      const run = last[slot];
      if (run && at <= run.to + gap) {
        run.to = at;
        run.count += count;
        continue;
      }
      const begun = { lane, mark: shape.mark, from: at, to: at, count };
      last[slot] = begun;
      runs[kind]?.push(begun);
    }
  };
  const end = Math.min(index.length, index.positionAt(scale.time(scale.width + 6)));
  let i = index.positionAt(Math.max(scale.time(-6), scene.since ?? -Infinity));
  if (scene.found) {
    const { found } = scene;
    for (let k = found.indexOf(index.seqAt(i)); k < found.length; k += 1) {
      const position = index.positionOf(found.at(k));
      if (position >= end) break;
      see(index.shapeAt(position), place(index.timeAt(position)), 1);
    }
    return runs.flat();
  }
  while (i < end) {
    const blockEnd = index.blockEnd(i);
    const at = place(index.timeAt(i));
    const shapes = blockEnd <= end ? index.shapesInBlock(i) : undefined;
    const isCountable =
      shapes?.length === 1 || !shapes?.some((one) => COUNTED.has(index.shapes.at(one).mark));
    // A whole block on one place: one of each of its shapes is all there is to see.
    if (shapes && isCountable && place(index.timeAt(blockEnd - 1)) === at) {
      for (const number of shapes) see(index.shapes.at(number), at, blockEnd - i);
      i = blockEnd;
    } else {
      see(index.shapeAt(i), at, 1);
      i += 1;
    }
  }
  return runs.flat();
}
