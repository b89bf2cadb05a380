import { expect, test } from 'vitest';
import { asText } from '../../../base/asText.ts';
import { LogIndex } from '../../../timeline/logIndex.ts';
import { entryOf } from '../../../timeline/testing/logOf.ts';
import { TimeScale } from '../../../timeline/timeScale.ts';
import { MARKS, runsOf } from './runs.ts';
import { drawBand, drawMark } from './markShapes.ts';
import type { Palette } from './palette.ts';

/** Everything that is drawn, but for its colour: filled with the ground is not filled. */
function shapeOf(draw: (context: CanvasRenderingContext2D, palette: Palette) => void): string {
  const calls: string[] = [];
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (target, name: string) =>
      name in target
        ? target[name as 'fillStyle']
        : (...args: unknown[]) => calls.push(`${name} ${args.map(asText).join(' ')}`),
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

/** Events of one stream at these moments, the replayed ones among them. */
function sceneOf(events: readonly { at: number; replayed?: true }[], toMs: number) {
  const index = new LogIndex();
  index.add(
    events.map(({ at, ...more }, i) =>
      entryOf(i + 1, at, 1, { kind: 'received', stream: 'a', method: 'm', raw: '{}', ...more }),
    ),
  );
  return {
    index,
    lanesOf: () => [0],
    scale: new TimeScale({ from: 0, to: toMs }, 1000),
    found: undefined,
  };
}

test('events without a gap between them are one band, however many they are', () => {
  const events = Array.from({ length: 100_000 }, (_, i) => ({ at: i < 50_000 ? i : i + 50_000 }));
  expect(runsOf(sceneOf(events, 150_000)).map(({ mark, from, to }) => [mark, from, to])).toEqual([
    ['live', 0, 167],
    ['live', 333, 500],
  ]);
});

test('what is earlier than all that is drawn is passed over', () => {
  const looked: number[] = [];
  const scene = sceneOf([{ at: 0 }, { at: 400 }, { at: 800 }], 1000);
  const lanesOf = () => {
    looked.push(0);
    return [0];
  };
  expect(runsOf({ ...scene, lanesOf, since: 400 }).map(({ from }) => from)).toEqual([200, 400]);
  expect(looked).toHaveLength(2);
});

test('what was replayed is counted, alone and among others', () => {
  const replay = (n: number, at: number) =>
    Array.from({ length: n }, () => ({ at, replayed: true as const }));
  const live = (n: number, at: number) => Array.from({ length: n }, () => ({ at }));
  const scene = sceneOf(
    [...live(20, 100), ...replay(14, 100), ...live(1, 500), ...replay(64, 900), ...replay(2, 912)],
    1000,
  );
  const counted = runsOf(scene).filter(({ mark }) => mark === 'replayed');
  expect(counted.map(({ from, count }) => [from, count])).toEqual([
    [50, 14],
    [450, 66],
  ]);
});
