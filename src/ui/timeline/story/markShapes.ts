/** How each kind of event looks, alone and in a row; never told apart by colour alone. */
import { formatNumber } from '../../../base/format.ts';
import type { Mark } from '../../../timeline/drawnKind.ts';
import type { Palette } from './palette.ts';

export function drawMark(
  context: CanvasRenderingContext2D,
  palette: Palette,
  mark: Mark,
  x: number,
  y: number,
  size = 1,
): void {
  // Back by hand: saving the whole state costs more than the mark.
  context.translate(x, y);
  context.scale(size, size);
  drawShape(context, palette, mark, 0, 0);
  context.scale(1 / size, 1 / size);
  context.translate(-x, -y);
}

/** Marks side by side: what is live is solid, what was replayed is hatched, as each of them is. */
export function drawBand(
  context: CanvasRenderingContext2D,
  palette: Palette,
  mark: Mark,
  from: number,
  to: number,
  y: number,
  size = 1,
): void {
  const band = (half: number): void => {
    context.beginPath();
    context.roundRect(from - half, y - half, to - from + 2 * half, 2 * half, half);
  };
  context.lineWidth = 1.25 * size;
  switch (mark) {
    case 'live':
      context.fillStyle = palette.accent;
      band(3.5 * size);
      context.fill();
      return;
    case 'replayed':
      context.strokeStyle = palette.replay;
      context.fillStyle = palette['replay-soft'];
      band(3.75 * size);
      context.fill();
      context.stroke();
      hatch(context, from, to, y, 2.6 * size);
      return;
    case 'duplicate':
      context.strokeStyle = palette.muted;
      context.lineWidth = size;
      band(2.25 * size);
      context.stroke();
      return;
    case 'plain':
      context.fillStyle = palette.muted;
      context.fillRect(from, y - 4 * size, to - from + 1, 8 * size);
      return;
    default:
      // These are few, and each of them matters: as many as have room.
      for (let x = from; x <= to; x += APART * size) drawMark(context, palette, mark, x, y, size);
  }
}

/** A mark at the end of a bar stays inside of it. */
const MARK_HALF = 4;

interface Counted {
  readonly from: number;
  readonly to: number;
  /** Where the bar ends that they belong to. */
  readonly barEnd: number;
  /** Where the lanes end. */
  readonly edge: number;
}

/** Replayed events as a band with their number in a frame of its own. A bar that is shorter than the frame has the number beside it. */
export function drawCount(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { from, to, barEnd, edge }: Counted,
  y: number,
  count: number,
  size = 1,
): void {
  const words = formatNumber(count);
  context.font = `700 ${12 * size}px ${palette.font}`;
  const half = 7 * size;
  const { width } = context.measureText(words);
  const frame = to - from + 2 * half + width + 3 * size;
  const isInside = from - half + frame <= barEnd;
  if (isInside) {
    context.fillStyle = palette.surface;
    context.strokeStyle = palette.replay;
    context.lineWidth = 1.25 * size;
    context.beginPath();
    context.roundRect(from - half, y - half, frame, 2 * half, half);
    context.fill();
    context.stroke();
  }
  const last = Math.max(from, Math.min(to, barEnd - MARK_HALF * size));
  if (from === last) drawMark(context, palette, 'replayed', from, y, size);
  else drawBand(context, palette, 'replayed', from, last, y, size);
  context.fillStyle = palette.replay;
  const after = Math.max(barEnd, to) + half;
  const beside = after + width <= edge ? after : from - half - width;
  context.fillText(words, isInside ? to + half - size : beside, y + 0.5);
}

const APART = 8;
const HATCH_EVERY = 3.6;

function hatch(context: CanvasRenderingContext2D, from: number, to: number, y: number, half: number): void {
  context.beginPath();
  for (let x = from - half; x + half <= to + half; x += HATCH_EVERY) {
    context.moveTo(x, y + half);
    context.lineTo(x + half, y - half);
  }
  context.stroke();
}

function drawShape(
  context: CanvasRenderingContext2D,
  palette: Palette,
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
      context.strokeStyle = palette.replay;
      context.fillStyle = palette['replay-soft'];
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
