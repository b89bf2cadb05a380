/** What the rows are drawn on: page loads, the time without a page, folded time, and the clock. */
import { gapsOf } from '../../../timeline/gaps.ts';
import { hatch } from './hatch.ts';
import { drawHeadLabels } from './headLabels.ts';
import { clockLabel } from './clockLabel.ts';
import { seenRows, middleOf, type StoryScene } from './storyScene.ts';

type Context = CanvasRenderingContext2D;

const TICK_PX = 100;
const FOLD_AT_LEAST = 6;

export function drawBackdrop(context: Context, scene: StoryScene): void {
  const { scale, height, palette, headHeight, rowHeight, selected, rows } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, scale.width, height);
  const [first, end] = seenRows(scene);
  const picked = rows.findIndex(({ id }) => id === selected);
  if (picked >= first && picked < end) {
    context.fillStyle = palette['accent-soft'];
    context.fillRect(0, middleOf(scene, picked) - rowHeight / 2, scale.width, rowHeight);
  }
  context.fillStyle = palette.line;
  for (const tick of scale.ticks(TICK_PX * scene.size))
    context.fillRect(Math.round(scale.x(tick)), headHeight, 1, height);
  drawGaps(context, scene);
  drawFolds(context, scene);
}

/** Over the rows: what scrolls must not show through. */
export function drawHead(context: Context, scene: StoryScene): void {
  const { scale, palette, headHeight, size, now, isGoingOn } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, scale.width, headHeight);
  drawGaps(context, scene, headHeight);
  drawFolds(context, scene, headHeight);
  drawRepeats(context, scene);
  drawClock(context, scene);
  drawHeadLabels(context, scene);
  if (isGoingOn && now <= scale.to) {
    const x = Math.round(scale.x(now));
    context.fillStyle = palette.accent;
    context.fillRect(x, headHeight, Math.max(1, size), scene.height);
    context.font = `600 ${12 * size}px ${palette.font}`;
    context.textAlign = 'end';
    context.fillText('now', x - 4 * size, headHeight - 9 * size);
    context.textAlign = 'start';
  }
  context.fillStyle = palette.line;
  context.fillRect(0, headHeight - 1, scale.width, 1);
}

/** A thin and a thick line where a page begins, with two dots before them: play it again. */
function drawRepeats(context: Context, scene: StoryScene): void {
  const { scale, palette, size, height, headHeight, index } = scene;
  context.fillStyle = palette.accent;
  for (const { from } of index.exchanges.loads.slice(1)) {
    const x = Math.round(scale.x(from));
    if (x < -20 || x > scale.width + 20) continue;
    context.globalAlpha = 0.55;
    context.fillRect(x, 0, 1.5 * size, height);
    context.fillRect(x + 3.5 * size, 0, 3.5 * size, height);
    context.globalAlpha = 1;
    for (const share of [0.32, 0.68]) {
      context.beginPath();
      context.arc(x - 5 * size, headHeight * share, 1.9 * size, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/** Hatching that hangs together with the picture: it must not crawl while it is moved. */
function drawGaps(context: Context, scene: StoryScene, height = scene.height): void {
  const { scale, palette, index } = scene;
  for (const { from, to } of gapsOf(index.exchanges)) {
    const right = scale.x(to);
    const left = Math.min(scale.x(from), right - 4);
    if (right < 0 || left > scale.width) continue;
    hatch(context, Math.max(0, left), Math.min(scale.width, right), 0, height, palette.edge);
  }
}

function drawFolds(context: Context, scene: StoryScene, height = scene.height): void {
  const { scale, palette } = scene;
  for (const { from, to } of scale.folds.folds) {
    const left = scale.x(from);
    const right = Math.max(left + FOLD_AT_LEAST, scale.x(to));
    if (right < 0 || left > scale.width) continue;
    context.fillStyle = palette.sunken;
    context.fillRect(left, 0, right - left, height);
    context.strokeStyle = palette.edge;
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.beginPath();
    for (const x of [Math.round(left) + 0.5, Math.round(right) - 0.5]) {
      context.moveTo(x, 0);
      context.lineTo(x, height);
    }
    context.stroke();
    context.setLineDash([]);
  }
}

/** The repeat sign would cut through what is written there. */
function isAtRepeat({ scale, size, index }: StoryScene, left: number, right: number): boolean {
  return index.exchanges.loads
    .slice(1)
    .some(({ from }) => left < scale.x(from) + 8 * size && right > scale.x(from) - 8 * size);
}

function drawClock(context: Context, scene: StoryScene): void {
  const { scale, palette, size, headHeight, isGoingOn, now } = scene;
  // Before the first entry there is no time to show.
  if (scene.index.length === 0) return;
  // Left of "now", which has its own label.
  const end = isGoingOn && now <= scale.to ? scale.x(now) - 36 * size : scale.width;
  context.font = `${12 * size}px ${palette.font}`;
  context.fillStyle = palette.muted;
  const ticks = scale.ticks(TICK_PX * size);
  let drawnTo = -Infinity;
  for (const [i, tick] of ticks.entries()) {
    const before = ticks[i - 1];
    const x = Math.round(scale.x(tick)) + 4;
    const words = clockLabel(tick, before, (ticks[i + 1] ?? tick) - tick || tick - (before ?? tick));
    const width = context.measureText(words).width;
    if (x < drawnTo + 6 || x + width > end || isAtRepeat(scene, x, x + width)) continue;
    context.fillText(words, x, headHeight * 0.74);
    drawnTo = x + width;
  }
}
