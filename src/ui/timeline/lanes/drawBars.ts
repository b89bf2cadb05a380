/** What took time, as bars: the thing itself, and below it when a stream carried it. */
import type { Bar } from '../../../timeline/lanes.ts';
import type { LaneKind } from '../../../timeline/drawnKind.ts';
import type { SpanEnd } from '../../../timeline/span.ts';
import { DASHES } from './barDashes.ts';
import { fitText } from './fitText.ts';
import { middleOf, sizeOf, textPx, type Scene } from './scene.ts';
import type { Palette } from './palette.ts';

/** Heights, at the usual size. */
const WHOLE = 14;
const CARRIED = 3;
/** An open bar fades out over this many pixels: it is still growing. */
const SOFT_END = 28;
const LABEL_FROM = 44;

export function drawBars(context: CanvasRenderingContext2D, scene: Scene): void {
  for (const [lane, { bars, kind }] of scene.lanes.lanes.entries()) {
    const y = middleOf(scene, lane);
    if (y < -scene.laneHeight || y > scene.height + scene.laneHeight) continue;
    // Thousands of short requests side by side are one bar to the eye.
    let drawnTo = -Infinity;
    for (const bar of bars) {
      const from = scene.scale.x(bar.span.from);
      const to = scene.scale.x(bar.span.to ?? scene.now);
      if (to < -SOFT_END || from > scene.scale.width) continue;
      if (bar.role === 'whole' && to < drawnTo + 1) continue;
      if (bar.role === 'whole') drawnTo = to;
      drawBar(context, scene, bar, kind, Math.max(-20, from), Math.min(scene.scale.width + 20, to), y);
    }
  }
}

function drawBar(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { span, role }: Bar,
  kind: LaneKind,
  from: number,
  to: number,
  y: number,
): void {
  const { palette } = scene;
  const size = sizeOf(scene);
  const half = (WHOLE * size) / 2;
  const hasRoom = kind !== 'calls' && kind !== 'questions';
  const width = Math.max(role === 'whole' ? 3 : 2, to - from);
  if (role === 'carried') {
    const bottom = y + half + 1;
    context.fillStyle = span.end === 'failed' ? palette.bad : palette.accent;
    if (span.end === 'lost') hatchLine(context, from, bottom, width, CARRIED * size, palette.accent);
    else context.fillRect(from, bottom, width, CARRIED * size);
    return;
  }
  const { edge, soft } = coloursOf(span.end, kind === 'questions', palette);
  context.fillStyle = span.end === 'open' ? fade(context, from, from + width, soft, palette.surface) : soft;
  context.fillRect(from, y - half, width, 2 * half);
  context.strokeStyle = edge;
  context.lineWidth = size > 1 ? 1.5 : 1;
  context.setLineDash(DASHES[span.end] ?? []);
  context.beginPath();
  const [left, right] = [from + 0.5, from + width - 0.5];
  const [top, bottom] = [y - half + 0.5, y + half - 0.5];
  context.moveTo(right, top);
  context.lineTo(left, top);
  context.lineTo(left, bottom);
  context.lineTo(right, bottom);
  if (span.end !== 'open') context.closePath();
  context.stroke();
  context.setLineDash([]);
  // The lane of a call has its name at its side, and events where the words would be.
  if (width < LABEL_FROM || !hasRoom) return;
  const words = span.end === 'open' || span.end === 'done' ? span.label : `${span.label} · ${span.end}`;
  label(context, scene, words, Math.max(4, left + 6), y, right - Math.max(4, left + 6) - 8);
}

function coloursOf(
  end: SpanEnd,
  isQuestion: boolean,
  palette: Palette,
): { readonly edge: string; readonly soft: string } {
  if (end === 'lost' || end === 'failed' || end === 'expired') {
    return { edge: palette.bad, soft: palette['bad-soft'] };
  }
  if (end === 'unknown') return { edge: palette.look, soft: palette['look-soft'] };
  if (isQuestion) return { edge: palette.ask, soft: palette['ask-soft'] };
  if (end === 'cancelled' || end === 'no') return { edge: palette.edge, soft: palette.sunken };
  return { edge: palette.accent, soft: palette['accent-soft'] };
}

function fade(
  context: CanvasRenderingContext2D,
  from: number,
  to: number,
  colour: string,
  ground: string,
): CanvasGradient {
  const gradient = context.createLinearGradient(Math.max(from, to - SOFT_END), 0, to, 0);
  gradient.addColorStop(0, colour);
  gradient.addColorStop(1, ground);
  return gradient;
}

function hatchLine(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: string,
): void {
  context.fillStyle = colour;
  for (let at = x; at < x + width; at += 6) context.fillRect(at, y, Math.min(4, x + width - at), height);
}

function label(
  context: CanvasRenderingContext2D,
  scene: Scene,
  text: string,
  x: number,
  y: number,
  room: number,
): void {
  context.font = `500 ${textPx(scene)}px ${scene.palette.font}`;
  const shown = fitText(context, text, room);
  if (shown.length < 3) return;
  context.fillStyle = scene.palette.text;
  context.fillText(shown, x, y + 0.5);
}
