/** The names above the lanes: page loads, the time without a page, and folded time. Where two would overlap, the first one stays. */
import { duration } from '../../../base/format.ts';
import { gapsOf } from '../../../timeline/gaps.ts';
import { fitText } from './fitText.ts';
import type { StoryScene } from './storyScene.ts';

type Context = CanvasRenderingContext2D;

interface Label {
  /** From the longest to the shortest. */
  readonly texts: readonly string[];
  readonly left: number;
  readonly right: number;
  readonly at: 'start' | 'middle';
  readonly color: string;
  readonly weight: number;
  /** What is behind it must not show through. */
  readonly hasGround: boolean;
}

export function drawHeadLabels(context: Context, scene: StoryScene): void {
  const { size, palette, headHeight } = scene;
  const y = headHeight * 0.3;
  const taken: (readonly [number, number])[] = [];
  for (const { texts, left, right, at, color, weight, hasGround } of labelsOf(scene)) {
    context.font = `${weight} ${12 * size}px ${palette.font}`;
    const places = texts.map((text) => {
      const { width } = context.measureText(text);
      const x = at === 'start' ? left : (left + right - width) / 2;
      return { text, x, width, isWhole: fitText(context, text, right - left) === text };
    });
    const isFree = (from: number, to: number) => taken.every(([start, end]) => to < start || from > end);
    const place = places.find(({ x, width, isWhole }) => isWhole && isFree(x, x + width));
    if (!place) continue;
    const { text, x, width } = place;
    taken.push([x, x + width]);
    if (hasGround) {
      context.fillStyle = palette.surface;
      context.fillRect(x - 3, y - 8 * size, width + 6, 16 * size);
    }
    context.fillStyle = color;
    context.fillText(text, x, y);
  }
}

function labelsOf(scene: StoryScene): readonly Label[] {
  const { width } = scene.scale;
  return [...loadLabels(scene), ...gapLabels(scene), ...foldLabels(scene)].filter(
    ({ left, right }) => right > 0 && left < width,
  );
}

function loadLabels({ scale, size, palette, index }: StoryScene): readonly Label[] {
  const { loads } = index.exchanges;
  return loads.map(({ from, to, load }, i) => {
    const next = loads[i + 1];
    const right = next ? scale.x(to) : scale.width;
    return {
      texts: [`Load ${load}`, `${load}`],
      left: Math.max(0, scale.x(from)) + (i === 0 ? 6 : 12) * size,
      right: Math.min(scale.width, right) - 4,
      at: 'start',
      color: palette.accent,
      weight: 600,
      hasGround: false,
    };
  });
}

function gapLabels({ scale, size, palette, index }: StoryScene): readonly Label[] {
  return gapsOf(index.exchanges).map(({ from, to, isKnown }) => {
    const name = isKnown ? 'F5' : 'no page';
    return {
      texts: [`${name} · ${duration(to - from)}`, name],
      left: scale.x(from) + 2,
      // The dots of the repeat sign stand before the next load.
      right: scale.x(to) - 12 * size,
      at: 'middle',
      color: palette.text,
      weight: 600,
      hasGround: true,
    };
  });
}

function foldLabels({ scale, palette }: StoryScene): readonly Label[] {
  return scale.folds.folds.map(({ from, to }) => ({
    texts: [`⋯ ${duration(to - from)}`, '⋯'],
    left: scale.x(from),
    right: scale.x(to),
    at: 'middle',
    color: palette.muted,
    weight: 400,
    hasGround: false,
  }));
}
