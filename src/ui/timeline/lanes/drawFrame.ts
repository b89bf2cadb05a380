/** What everything else is drawn on: the ruler, the page loads, and the time in which there was no page. */
import { gapsOf } from '../../../timeline/lanes.ts';
import { sinceZero } from '../../../timeline/timeScale.ts';
import { duration } from '../../../base/words.ts';
import { fitText } from './fitText.ts';
import { hatch } from './hatch.ts';
import { middleOf, rulerHeight, sizeOf, textPx, type Scene } from './scene.ts';

const GAP_AT_LEAST = 4;
const TICK_PX = 90;

export function drawGround(context: CanvasRenderingContext2D, scene: Scene): void {
  const { scale, height, palette, lanes, laneHeight } = scene;
  const ruler = rulerHeight(scene);
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, scale.width, height);
  context.fillStyle = palette.line;
  for (const tick of scale.ticks(scene.zero, TICK_PX * sizeOf(scene)))
    context.fillRect(Math.round(scale.x(tick)), ruler, 1, height);
  for (let lane = 0; lane <= lanes.lanes.length; lane += 1) {
    const y = middleOf(scene, lane) - laneHeight / 2;
    if (y >= ruler) context.fillRect(0, Math.round(y) - 1, scale.width, 1);
  }
}

/** Diagonal shading over the time without a page, and the sign for a repeat where the next one begins. */
export function drawLoads(context: CanvasRenderingContext2D, scene: Scene): void {
  const { scale, height, palette, index } = scene;
  const ruler = rulerHeight(scene);
  const y = middleOf(scene, 0);
  context.font = `600 ${textPx(scene)}px ${palette.font}`;
  for (const { from, to, isKnown } of gapsOf(index.exchanges)) {
    const right = scale.x(to);
    const left = Math.min(scale.x(from), right - GAP_AT_LEAST);
    if (right < 0 || left > scale.width) continue;
    const [seenFrom, seenTo] = [Math.max(0, left), Math.min(scale.width, right)];
    hatch(context, seenFrom, seenTo, ruler, height, palette.edge);
    const long = duration(to - from);
    const words = isKnown
      ? [`no page for ${long}`, 'no page']
      : [`page state unknown for ${long}`, 'not seen'];
    sayNoPage(context, scene, words, seenFrom, seenTo);
  }
  const { loads } = index.exchanges;
  for (const [i, { from, load }] of loads.entries()) {
    const x = Math.round(scale.x(from));
    if (x < -200 || x > scale.width + 20) continue;
    context.fillStyle = palette.accent;
    if (i > 0) repeatSign(context, x, scene);
    else context.fillRect(x, ruler, 1, height);
    // Up to where the page was last seen: beyond that stands something else.
    const next = loads[i + 1];
    const room = (next ? Math.min(scale.x(next.from) - 16, scale.width) : scale.width) - x - 8;
    const words = [`load ${load}`, `${load}`].find((text) => fitText(context, text, room) === text);
    context.fillStyle = palette.accent;
    if (words !== undefined) context.fillText(words, x + 6, y);
  }
}

/** That there was no page, where there is room to say it. */
function sayNoPage(
  context: CanvasRenderingContext2D,
  scene: Scene,
  choices: readonly string[],
  left: number,
  right: number,
): void {
  const { palette } = scene;
  const size = sizeOf(scene);
  // The sign of the next load needs its place.
  const room = right - left - 24 * size;
  const words = choices.find((text) => fitText(context, text, room) === text);
  if (words === undefined) return;
  const width = context.measureText(words).width;
  const x = left + (room - width) / 2 + 4 * size;
  const y = middleOf(scene, 0);
  context.fillStyle = palette.surface;
  context.fillRect(x - 4, y - 8 * size, width + 8, 16 * size);
  context.fillStyle = palette.muted;
  context.fillText(words, x, y);
}

export function drawRuler(context: CanvasRenderingContext2D, scene: Scene): void {
  const { scale, palette, zero } = scene;
  const ruler = rulerHeight(scene);
  context.fillStyle = palette.sunken;
  context.fillRect(0, 0, scale.width, ruler);
  context.font = `${textPx(scene)}px ${palette.font}`;
  context.fillStyle = palette.muted;
  for (const tick of scale.ticks(zero, TICK_PX * sizeOf(scene))) {
    const x = Math.round(scale.x(tick));
    context.fillRect(x, ruler - 5, 1, 5);
    context.fillText(sinceZero(tick - zero), x + 4, ruler / 2);
  }
}

/** A thin and a thick line through all lanes, with two dots before them: play it again. */
function repeatSign(context: CanvasRenderingContext2D, x: number, scene: Scene): void {
  const { height } = scene;
  const ruler = rulerHeight(scene);
  const size = sizeOf(scene);
  const y = middleOf(scene, 0);
  context.globalAlpha = 0.45;
  context.fillRect(x - 4 * size, ruler, size, height);
  context.fillRect(x - size, ruler, 3 * size, height);
  context.globalAlpha = 1;
  context.fillRect(x - 4 * size, y - 9 * size, 1.25 * size, 18 * size);
  context.fillRect(x - size, y - 9 * size, 3 * size, 18 * size);
  for (const dot of [-3.5, 3.5]) {
    context.beginPath();
    context.arc(x - 8 * size, y + dot * size, 1.75 * size, 0, 2 * Math.PI);
    context.fill();
  }
}
