/** Each exchange as a bar in its row; how it ended is told by colour, outline and sign. */
import type { SpanEnd } from '../../../timeline/span.ts';
import { spansOf } from '../../../timeline/story/exchangeRows.ts';
import type { Palette } from './palette.ts';
import { DASHES } from './barDashes.ts';
import { fitText } from './fitText.ts';
import { drawMark } from './markShapes.ts';
import { middleOf, seenRows, type StoryScene } from './storyScene.ts';

type Context = CanvasRenderingContext2D;

const HEIGHT = 14;
const SOFT_END = 28;
const AT_LEAST = 4;

export function drawRowBars(context: Context, scene: StoryScene): void {
  const [first, end] = seenRows(scene);
  for (let i = first; i < end; i += 1) {
    const row = scene.rows[i];
    if (!row) continue;
    const y = middleOf(scene, i);
    const questions = scene.questionsOf(row);
    const isAsked = questions.some((question) => question.end === 'open');
    // Many short calls side by side are one bar to the eye.
    let drawnTo = -Infinity;
    for (const span of spansOf(row)) {
      const right = scene.scale.x(span.to ?? scene.now);
      if (row.kind === 'earlier' && right < drawnTo + 1) continue;
      drawnTo = right;
      drawBar(context, scene, span.from, span.to, span.end, y, isAsked, row.id === scene.selected);
    }
    for (const question of questions)
      drawQuestion(context, scene, question.from, question.to, question.end, y);
  }
}

function drawBar(
  context: Context,
  scene: StoryScene,
  from: number,
  to: number | undefined,
  end: SpanEnd,
  y: number,
  isAsked: boolean,
  isSelected: boolean,
): void {
  const { scale, size, palette } = scene;
  const left = Math.max(-20, scale.x(from));
  const right = Math.max(left + AT_LEAST * size, Math.min(scale.width + 20, scale.x(to ?? scene.now)));
  if (right < 0 || left > scale.width) return;
  const half = (HEIGHT / 2) * size;
  const { edge, soft } = coloursOf(end, isAsked, palette);
  const ground = isSelected ? palette['accent-soft'] : palette.surface;
  const isOpen = end === 'open';
  context.lineWidth = 1.2 * size;
  context.setLineDash((DASHES[end] ?? []).map((n) => n * size));
  context.strokeStyle = isOpen ? fade(context, left, right, edge, ground, size) : edge;
  context.fillStyle = isOpen && isAsked ? fade(context, left, right, soft, ground, size) : soft;
  context.beginPath();
  context.roundRect(left + 0.5, y - half, right - left - 1, 2 * half, 3 * size);
  context.fill();
  context.stroke();
  context.setLineDash([]);
  if (end !== 'unknown' && end !== 'lost' && end !== 'expired') return;
  context.font = `700 ${12 * size}px ${palette.font}`;
  context.fillStyle = edge;
  context.fillText('?', right + 4 * size, y + 0.5);
}

/** An open bar fades out: it is still growing. */
function fade(
  context: Context,
  left: number,
  right: number,
  colour: string,
  ground: string,
  size: number,
): CanvasGradient {
  const gradient = context.createLinearGradient(Math.max(left, right - SOFT_END * size), 0, right, 0);
  gradient.addColorStop(0, colour);
  gradient.addColorStop(1, ground);
  return gradient;
}

function coloursOf(
  end: SpanEnd,
  isAsked: boolean,
  palette: Palette,
): { readonly edge: string; readonly soft: string } {
  switch (end) {
    case 'failed':
      return { edge: palette.bad, soft: palette['bad-soft'] };
    case 'lost':
    case 'expired':
    case 'unknown':
      return { edge: palette.look, soft: palette.surface };
    case 'cancelled':
    case 'no':
      return { edge: palette.muted, soft: palette.sunken };
    case 'done':
      return { edge: palette.good, soft: palette.surface };
    case 'open':
      return isAsked
        ? { edge: palette.ask, soft: palette['ask-soft'] }
        : { edge: palette.accent, soft: palette.surface };
  }
}

/** A diamond where it was asked, filled where it was answered, with what it waits for. */
function drawQuestion(
  context: Context,
  scene: StoryScene,
  from: number,
  to: number | undefined,
  end: SpanEnd,
  y: number,
): void {
  const { scale, size, palette } = scene;
  const x = scale.x(from) + 8 * size;
  if (to !== undefined && end === 'done') drawMark(context, palette, 'answered', scale.x(to), y, size);
  if (x < -20 || x > scale.width + 20) return;
  drawMark(context, palette, 'waiting', x, y, size);
  if (end !== 'open') return;
  context.font = `${12 * size}px ${palette.font}`;
  const room = Math.min(scale.width, scale.x(scene.now)) - x - 20 * size;
  const words = 'needs your input';
  if (fitText(context, words, room) !== words) return;
  context.fillStyle = palette.ask;
  context.fillText(words, x + 11 * size, y + 0.5);
}
