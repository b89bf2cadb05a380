import { expect, test } from 'vitest';
import type { Mark } from '../../../timeline/shape.ts';
import { drawBand, drawMark } from './markShapes.ts';
import type { Palette } from './palette.ts';

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

/** Everything that is drawn, but for its colour: filled with the ground is not filled. */
function shapeOf(draw: (context: CanvasRenderingContext2D, palette: Palette) => void): string {
  const calls: string[] = [];
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (target, name: string) =>
      name in target
        ? target[name as 'fillStyle']
        : (...args: unknown[]) => calls.push(`${name} ${args.join(' ')}`),
    set: (target, name: string, value: string) => {
      target[name as 'fillStyle'] = value;
      if (name === 'fillStyle') calls.push(value === 'surface' ? 'hollow' : 'solid');
      return true;
    },
  });
  const palette = new Proxy({} as Palette, { get: (_, name) => (name === 'surface' ? 'surface' : 'ink') });
  draw(context, palette);
  return calls.join('; ');
}

test('every kind of event has a shape of its own, without colour', () => {
  const shapes = MARKS.map((mark) => shapeOf((context, palette) => drawMark(context, palette, mark, 0, 0)));
  expect(shapes.every((shape) => shape !== '')).toBe(true);
  expect(new Set(shapes).size).toBe(MARKS.length);
});

test('in a row too', () => {
  const rows = MARKS.map((mark) => shapeOf((context, palette) => drawBand(context, palette, mark, 0, 40, 0)));
  expect(new Set(rows).size).toBe(MARKS.length);
});
