/** Single events, each by its own shape; where several fall on one place, one of each shape is drawn. */
import type { Mark, Shape } from '../../../timeline/shape.ts';
import { middleOf, type Scene } from './scene.ts';

/** Closer than this two marks cannot be told apart. */
const STEP = 2;
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

export function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  const { index, lanes, scale } = scene;
  const order = new Map(MARKS.map((mark, i) => [mark, i]));
  /** For each lane and shape, the last place where one was drawn. */
  const drawn = new Int32Array(lanes.lanes.length * MARKS.length).fill(-1000);
  const place = (time: number): number => Math.round(scale.x(time) / STEP);
  const draw = (shape: Shape, at: number): void => {
    for (const lane of lanes.lanesOf(shape)) {
      const slot = lane * MARKS.length + (order.get(shape.mark) ?? 0);
      if (drawn[slot] === at) continue;
      drawn[slot] = at;
      const y = middleOf(scene, lane);
      if (y > 0 && y < scene.height) drawMark(context, scene, shape.mark, at * STEP, y);
    }
  };
  const end = Math.min(index.length, index.positionAt(scale.time(scale.width + 6)));
  let i = index.positionAt(scale.time(-6));
  if (scene.found) {
    const { found } = scene;
    for (let k = found.indexOf(index.seqAt(i)); k < found.length; k += 1) {
      const position = index.positionOf(found.at(k));
      if (position >= end) return;
      draw(index.shapeAt(position), place(index.timeAt(position)));
    }
    return;
  }
  while (i < end) {
    const blockEnd = Math.min(end, index.blockEnd(i));
    const at = place(index.timeAt(i));
    const shapes = index.shapesInBlock(i);
    // A whole block on one place: one of each of its shapes is all there is to see.
    if (shapes && place(index.timeAt(blockEnd - 1)) === at) {
      for (const number of shapes) draw(index.shapes.at(number), at);
      i = blockEnd;
    } else {
      draw(index.shapeAt(i), at);
      i += 1;
    }
  }
}

export function drawMark(
  context: CanvasRenderingContext2D,
  { palette }: Pick<Scene, 'palette'>,
  mark: Mark,
  x: number,
  y: number,
): void {
  context.lineWidth = 1.25;
  switch (mark) {
    case 'live':
      context.fillStyle = palette.accent;
      disc(context, x, y, 3.5);
      context.fill();
      return;
    case 'replayed':
      context.strokeStyle = palette.accent;
      context.fillStyle = palette.surface;
      disc(context, x, y, 3.75);
      context.fill();
      context.stroke();
      lines(context, [x - 2.6, y + 1.2, x + 1.2, y - 2.6], [x - 1.2, y + 2.6, x + 2.6, y - 1.2]);
      return;
    case 'duplicate':
      context.strokeStyle = palette.muted;
      context.lineWidth = 1;
      disc(context, x, y, 2.25);
      context.stroke();
      return;
    case 'lost':
      context.strokeStyle = palette.bad;
      context.fillStyle = palette.surface;
      disc(context, x, y, 4.5);
      context.fill();
      context.stroke();
      lines(context, [x - 2, y - 2, x + 2, y + 2], [x + 2, y - 2, x - 2, y + 2]);
      return;
    case 'unknown':
      context.strokeStyle = palette.look;
      context.fillStyle = palette.surface;
      disc(context, x, y, 5);
      context.fill();
      context.stroke();
      context.fillStyle = palette.look;
      context.font = `600 9px ${palette.font}`;
      context.textAlign = 'center';
      context.fillText('?', x, y + 0.5);
      context.textAlign = 'start';
      return;
    case 'waiting':
    case 'answered':
      context.strokeStyle = palette.ask;
      context.fillStyle = mark === 'answered' ? palette.ask : palette.surface;
      diamond(context, x, y, 5);
      context.fill();
      context.stroke();
      return;
    case 'sent':
      context.strokeStyle = palette.accent;
      lines(context, [x - 4, y, x + 3, y], [x, y - 3, x + 3.5, y], [x, y + 3, x + 3.5, y]);
      return;
    case 'plain':
      context.fillStyle = palette.muted;
      context.fillRect(x - 0.5, y - 4, 1, 8);
      return;
  }
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.moveTo(x, y - r);
  context.lineTo(x + r, y);
  context.lineTo(x, y + r);
  context.lineTo(x - r, y);
  context.closePath();
}

type Line = readonly [number, number, number, number];

function lines(context: CanvasRenderingContext2D, ...all: readonly Line[]): void {
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of all) {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  }
  context.stroke();
}
