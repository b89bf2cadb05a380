/** The part of time that the list is limited to. */
import type { StoryScene } from './storyScene.ts';

export function drawRange(context: CanvasRenderingContext2D, scene: StoryScene): void {
  const { range, scale, palette, height } = scene;
  if (!range) return;
  const [from, to] = [scale.x(range.from), scale.x(range.to)];
  context.globalAlpha = 0.6;
  context.fillStyle = palette.sunken;
  context.fillRect(0, 0, Math.max(0, from), height);
  context.fillRect(to, 0, Math.max(0, scale.width - to), height);
  context.globalAlpha = 1;
  context.fillStyle = palette.look;
  for (const x of [from, to]) context.fillRect(Math.round(x) - 1, 0, 2, height);
}
