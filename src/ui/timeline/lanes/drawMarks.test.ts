import { expect, test } from 'vitest';
import type { Mark } from '../../../timeline/shape.ts';
import { drawMark } from './drawMarks.ts';
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
function shapeOf(mark: Mark): string {
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
  drawMark(context, { palette }, mark, 0, 0);
  return calls.join('; ');
}

test('every kind of event has a shape of its own, without colour', () => {
  const shapes = MARKS.map(shapeOf);
  expect(shapes.every((shape) => shape !== '')).toBe(true);
  expect(new Set(shapes).size).toBe(MARKS.length);
});
