import { expect, test } from 'vitest';
import { drawCount } from './markShapes.ts';
import type { Palette } from './palette.ts';

/** Where the frame and the band end, if there is one, and from where to where the number is written. Each character is 6 wide. */
function drawn(at: { from: number; to: number; barEnd: number; edge: number }, count: number) {
  let frameEnd: number | undefined;
  let bandEnd: number | undefined;
  let number: readonly [number, number] | undefined;
  const drawing: Partial<CanvasRenderingContext2D> = {
    measureText: (text) => ({ width: text.length * 6 }) as TextMetrics,
    fillText: (text, x) => void (number = [x, x + text.length * 6]),
    roundRect: (x, _y, width, height) => {
      if (height === 14) frameEnd = x + width;
      else bandEnd = x + width;
    },
  };
  const methods = new Map<PropertyKey, unknown>(Object.entries(drawing));
  const context = new Proxy(drawing as CanvasRenderingContext2D, {
    get: (_, name) => methods.get(name) ?? (() => undefined),
  });
  drawCount(context, new Proxy({} as Palette, { get: () => 'ink' }), at, 20, count);
  return { frameEnd, bandEnd, number };
}

test('the number of replayed events is in a frame that ends inside their bar', () => {
  const { frameEnd } = drawn({ from: 100, to: 110, barEnd: 300, edge: 500 }, 26);
  expect(frameEnd).toBeGreaterThan(110);
  expect(frameEnd).toBeLessThanOrEqual(300);
});

test('a bar that is shorter than the frame has the number beside it, before or after', () => {
  const short = drawn({ from: 100, to: 104, barEnd: 106, edge: 500 }, 26);
  expect(short).toMatchObject({ frameEnd: undefined, number: [113, 125] });
  expect(short.bandEnd).toBeLessThanOrEqual(106);
  const atTheEdge = drawn({ from: 480, to: 484, barEnd: 490, edge: 500 }, 26);
  expect(atTheEdge.frameEnd).toBeUndefined();
  expect(atTheEdge.number?.[1]).toBeLessThan(480);
});
