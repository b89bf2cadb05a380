/** Single events, each by its own shape; where they stand too close to be told apart, they are one band. */
import type { Mark } from '../../../timeline/drawnKind.ts';
import type { Shape } from '../../../timeline/shape.ts';
import { drawBand, drawCount, drawMark } from './markShapes.ts';
import { middleOf, sizeOf, type Scene } from './scene.ts';

/** Closer than this two marks cannot be told apart. */
const STEP = 2;
/** What matters more is drawn later. */
const MARKS: readonly Mark[] = [
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
/** Dropped duplicates stand above what they repeat: both would have the same place. */
const DUPLICATES_ABOVE = 9.25;

export function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  const size = sizeOf(scene);
  for (const { lane, mark, from, to, count } of runsOf(scene)) {
    const y = middleOf(scene, lane) - (mark === 'duplicate' ? DUPLICATES_ABOVE * size : 0);
    if (y <= 0 || y >= scene.height) continue;
    if (count > 1) {
      drawCount(context, scene.palette, mark, from * STEP, to * STEP, y, count, size);
      continue;
    }
    if (from === to) drawMark(context, scene.palette, mark, from * STEP, y, size);
    else drawBand(context, scene.palette, mark, from * STEP, to * STEP, y, size);
  }
}

interface Drawn extends Pick<Scene, 'index' | 'found'> {
  readonly lanes: Pick<Scene['lanes'], 'lanesOf'>;
  readonly scale: Pick<Scene['scale'], 'x' | 'time' | 'width'>;
}

/** However many entries there are, no more runs than the screen has places. */
export function runsOf(scene: Drawn): readonly Run[] {
  const { index, lanes, scale } = scene;
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
    for (const lane of lanes.lanesOf(shape)) {
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
  let i = index.positionAt(scale.time(-6));
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
