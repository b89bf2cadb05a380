/** What everything else is drawn on: the ruler, the page loads, and the time in which there was no page. */
import { gapsOf } from '../../../timeline/lanes.ts';
import { sinceZero } from '../../../timeline/timeScale.ts';
import { RULER_HEIGHT, textPx, type Scene } from './scene.ts';

const GAP_AT_LEAST = 4;

export function drawGround(context: CanvasRenderingContext2D, scene: Scene): void {
  const { scale, height, palette, lanes, laneHeight, top } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, scale.width, height);
  context.fillStyle = palette.line;
  for (const tick of scale.ticks(scene.zero))
    context.fillRect(Math.round(scale.x(tick)), RULER_HEIGHT, 1, height);
  for (let lane = 0; lane <= lanes.lanes.length; lane += 1) {
    const y = RULER_HEIGHT + lane * laneHeight - top;
    if (y >= RULER_HEIGHT) context.fillRect(0, Math.round(y) - 1, scale.width, 1);
  }
}

/** Diagonal shading over the time without a page, and the sign for a repeat where the next one begins. */
export function drawLoads(context: CanvasRenderingContext2D, scene: Scene): void {
  const { scale, height, palette, index } = scene;
  for (const { from, to } of gapsOf(index.exchanges)) {
    const right = scale.x(to);
    const left = Math.min(scale.x(from), right - GAP_AT_LEAST);
    if (right < 0 || left > scale.width) continue;
    hatch(context, Math.max(0, left), Math.min(scale.width, right), height, palette.edge);
  }
  for (const [i, { from, load }] of index.exchanges.loads.entries()) {
    const x = Math.round(scale.x(from));
    if (x < -40 || x > scale.width) continue;
    context.fillStyle = palette.accent;
    context.fillRect(x, RULER_HEIGHT, 1, height);
    if (i > 0) repeatSign(context, x, scene);
    context.font = `600 ${textPx(scene)}px ${palette.font}`;
    context.fillStyle = palette.accent;
    context.fillText(`load ${load}`, x + 5, RULER_HEIGHT + scene.laneHeight / 2 - scene.top);
  }
}

export function drawRuler(context: CanvasRenderingContext2D, scene: Scene): void {
  const { scale, palette, zero } = scene;
  context.fillStyle = palette.sunken;
  context.fillRect(0, 0, scale.width, RULER_HEIGHT);
  context.font = `${Math.min(textPx(scene), RULER_HEIGHT - 6)}px ${palette.font}`;
  context.fillStyle = palette.muted;
  for (const tick of scale.ticks(zero)) {
    const x = Math.round(scale.x(tick));
    context.fillRect(x, RULER_HEIGHT - 5, 1, 5);
    context.fillText(sinceZero(tick - zero), x + 4, RULER_HEIGHT / 2);
  }
}

/** A thin and a thick line with two dots before them: play it again. */
function repeatSign(context: CanvasRenderingContext2D, x: number, { laneHeight, top }: Scene): void {
  const y = RULER_HEIGHT + laneHeight / 2 - top;
  context.fillRect(x - 4, y - 8, 1.5, 16);
  context.fillRect(x - 1, y - 8, 3, 16);
  for (const dot of [-3, 3]) {
    context.beginPath();
    context.arc(x - 8, y + dot, 1.5, 0, 2 * Math.PI);
    context.fill();
  }
}

function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  height: number,
  colour: string,
): void {
  context.save();
  context.beginPath();
  context.rect(left, RULER_HEIGHT, right - left, height);
  context.clip();
  context.strokeStyle = colour;
  context.globalAlpha = 0.55;
  context.lineWidth = 1;
  context.beginPath();
  // Lines that hang together with the picture, not with its edge: shading must not crawl while panning.
  for (let x = left - (left % 7) - height; x < right; x += 7) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}
