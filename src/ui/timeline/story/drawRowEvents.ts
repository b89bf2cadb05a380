/** Single events in their rows. Missed events are fanned out where they arrived, with arcs from the gap they came from. */
import { gapsOf } from '../../../timeline/gaps.ts';
import type { Mark } from '../../../timeline/drawnKind.ts';
import type { Shape } from '../../../timeline/shape.ts';
import type { TimeRange } from '../../../timeline/timeScale.ts';
import { runsOf } from './runs.ts';
import { drawBand, drawCount, drawMark } from './markShapes.ts';
import { fanOut } from './fanOut.ts';
import { middleOf, seenRows, type StoryScene } from './storyScene.ts';

type Context = CanvasRenderingContext2D;

/** Steps of `runsOf`, in pixels. */
const STEP = 2;
/** Input requests are drawn from their spans, and requests and bookkeeping are in the bar. */
const DRAWN: ReadonlySet<Mark> = new Set(['live', 'replayed', 'duplicate', 'lost']);
const DUPLICATES_ABOVE = 9.5;
/** A mark at the end of a bar stays inside of it. */
const MARK_HALF = 5;

export function drawRowEvents(context: Context, scene: StoryScene): void {
  const { index, scale, found, palette, size } = scene;
  const [first, end] = seenRows(scene);
  // The bar of a read or a list is all that there is to see of it.
  const isDrawn = (row: number) => row >= first && row < end && scene.rows[row]?.kind === 'call';
  const known = new Map<Shape, readonly number[]>();
  const lanesOf = (shape: Shape): readonly number[] => {
    const before = known.get(shape);
    if (before) return before;
    const rows = DRAWN.has(shape.mark) ? scene.rowOf(shape).filter(isDrawn) : [];
    known.set(shape, rows);
    return rows;
  };
  const seen = scene.rows.slice(first, end).filter(({ kind }) => kind === 'call');
  const since = seen.reduce((from, row) => Math.min(from, row.from), Infinity);
  const runs = runsOf({ index, lanesOf, scale, found, since });
  const gaps = gapsOf(index.exchanges);
  for (const { lane, mark, from, to, count } of runs) {
    const middle = middleOf(scene, lane);
    const y = mark === 'duplicate' ? middle - DUPLICATES_ABOVE * size : middle;
    const [left, right] = [from * STEP, to * STEP];
    if (mark === 'replayed') {
      const next = runs.find((run) => run.lane === lane && run.mark === 'live' && run.from >= from);
      drawReplayed(context, scene, { lane, left, right, count, next: next && next.from * STEP }, y, gaps);
      continue;
    }
    const place = mark === 'live' ? insideBar(scene, lane, left, right) : { left, right };
    if (!place) continue;
    if (place.left === place.right) drawMark(context, palette, mark, place.left, y, size);
    else drawBand(context, palette, mark, place.left, place.right, y, size);
  }
}

/** The first and the last event of a call don't hang out of its bar. A bar without room for one says by itself that there was one. */
function insideBar(
  scene: StoryScene,
  lane: number,
  left: number,
  right: number,
): { readonly left: number; readonly right: number } | undefined {
  const bar = barOf(scene, lane);
  const half = MARK_HALF * scene.size;
  // Events after the end are outside, and are seen there.
  if (!bar || left > bar.to + half || right < bar.from - half) return { left, right };
  const [from, to] = [bar.from + half, bar.to - half];
  if (from > to) return undefined;
  return { left: Math.min(to, Math.max(from, left)), right: Math.min(to, Math.max(from, right)) };
}

function barOf({ rows, scale, now }: StoryScene, lane: number): TimeRange | undefined {
  const row = rows[lane];
  return row?.kind === 'call' ? { from: scale.x(row.span.from), to: scale.x(row.span.to ?? now) } : undefined;
}

interface Replayed {
  readonly lane: number;
  readonly left: number;
  readonly right: number;
  readonly count: number;
  /** Where the next live event is. */
  readonly next: number | undefined;
}

function drawReplayed(
  context: Context,
  scene: StoryScene,
  { lane, left, right, count, next }: Replayed,
  y: number,
  gaps: readonly TimeRange[],
): void {
  const { scale, size, palette } = scene;
  const time = scale.time(left);
  const gap = gaps.findLast(({ to }) => to <= time + 1);
  const row = scene.rows[lane];
  const earliest = gap ? scale.x(gap.to) + 14 * size : left;
  const start = Math.max(left, earliest);
  const barEnd = barOf(scene, lane)?.to ?? scale.x(scene.now);
  const within = { from: earliest, to: Math.max(start, Math.min(scale.width, barEnd) - MARK_HALF * size) };
  const places = fanOut({ start, end: right, count, size, room: (next ?? scale.width) - start, within });
  const arrived = row ? scene.arrived(row, scale.time(right)) : 1;
  if (!places) {
    drawCount(context, palette, { from: left, to: right, barEnd, edge: scale.width }, y, count, size);
    return;
  }
  const [gapFrom, gapTo] = gap ? [scale.x(gap.from), scale.x(gap.to)] : [left, left];
  for (const [i, place] of places.entries()) {
    const origin = gapFrom + ((i + 0.5) / places.length) * (gapTo - gapFrom);
    // One after the other, each with the same share of the way.
    const share = Math.min(1, Math.max(0, arrived * 2 - i / places.length));
    const eased = 1 - (1 - share) ** 3;
    const x = origin + (place - origin) * eased;
    const lift = Math.sin(Math.PI * eased) * 12 * size;
    if (gap && share > 0) drawArc(context, scene, origin, x, y, lift);
    if (share > 0) drawMark(context, palette, 'replayed', x, y - lift, size);
  }
}

function drawArc(
  context: Context,
  scene: StoryScene,
  from: number,
  to: number,
  y: number,
  lift: number,
): void {
  const { palette, size } = scene;
  context.strokeStyle = palette.replay;
  context.globalAlpha = 0.5;
  context.lineWidth = 0.9 * size;
  context.beginPath();
  context.moveTo(from, y - 2 * size);
  context.quadraticCurveTo((from + to) / 2, y - 17 * size, to, y - lift - 4 * size);
  context.stroke();
  context.globalAlpha = 1;
}
