import { expect, test } from 'vitest';
import type { Entry } from '../../../log/entry/entry.ts';
import { LogIndex } from '../../../timeline/logIndex.ts';
import { entryOf } from '../../../timeline/testing/logOf.ts';
import { FoldedScale } from '../../../timeline/story/foldedScale.ts';
import { Folds } from '../../../timeline/story/folds.ts';
import { drawHead } from './drawBackdrop.ts';
import type { Palette } from './palette.ts';
import type { StoryScene } from './storyScene.ts';

/** What is hatched, from place to place, and what is written. */
function drawn(entries: readonly Entry[], folds?: Folds) {
  const shaded: (readonly [number, number])[] = [];
  const words: string[] = [];
  let clipped: readonly [number, number] | undefined;
  const drawing: Partial<CanvasRenderingContext2D> = {
    measureText: (text) => ({ width: text.length * 6 }) as TextMetrics,
    fillText: (text) => void words.push(text),
    rect: (x, _y, width) => void (clipped = [x, x + width]),
    stroke: () => void (clipped && shaded.push(clipped)),
    restore: () => (clipped = undefined),
  };
  const methods = new Map<PropertyKey, unknown>(Object.entries(drawing));
  const context = new Proxy(drawing as CanvasRenderingContext2D, {
    get: (_, name) => methods.get(name) ?? (() => undefined),
  });
  const index = new LogIndex();
  index.add(entries);
  const scene: StoryScene = {
    index,
    rows: [],
    rowOf: () => [],
    questionsOf: () => [],
    scale: new FoldedScale({ from: 0, to: 1000 }, 1000, folds),
    height: 100,
    top: 0,
    rowHeight: 30,
    headHeight: 36,
    size: 1,
    palette: new Proxy({} as Palette, { get: () => 'ink' }),
    now: 1000,
    isGoingOn: false,
    found: undefined,
    selected: undefined,
    range: undefined,
    arrived: () => 1,
  };
  drawHead(context, scene);
  return { shaded, words };
}

const load = (seq: number, at: number, number: number, pageLeftAt?: number): Entry =>
  entryOf(seq, at, number, {
    kind: 'load',
    reason: 'opened',
    ...(pageLeftAt !== undefined && { pageLeftAt }),
  });
const seen = (seq: number, at: number, number: number): Entry =>
  entryOf(seq, at, number, { kind: 'state', state: { name: 'idle' } });

test('the time without a page is shaded, from where it was left to the next load', () => {
  const { shaded, words } = drawn([load(1, 100, 1), seen(2, 200, 1), load(3, 700, 2, 300), seen(4, 750, 2)]);
  expect(shaded).toEqual([[300, 700]]);
  expect(words).toContain('F5 · 400 ms');
});

test('time of which it is not known when the page was left isn’t called a reload', () => {
  const { shaded, words } = drawn([load(1, 100, 1), seen(2, 200, 1), load(3, 700, 2), seen(4, 750, 2)]);
  expect(shaded).toEqual([[200, 700]]);
  expect(words).toContain('no page · 500 ms');
});

test('where another tab took over, nothing is shaded', () => {
  const tookOver = entryOf(3, 700, 2, { kind: 'load', reason: 'took over' });
  expect(drawn([load(1, 100, 1), seen(2, 200, 1), tookOver, seen(4, 750, 2)]).shaded).toEqual([]);
});

test('the names of a load and of a gap aren’t written over by folded time', () => {
  const entries = [load(1, 0, 1), seen(2, 200, 1), load(3, 700, 2, 300), seen(4, 990, 2)];
  const isBeside = { from: 100, to: 200 };
  const inTheGap = { from: 400, to: 600 };
  const atTheName = { from: 705, to: 905 };
  const { words } = drawn(entries, new Folds([isBeside, inTheGap, atTheName], 60));
  expect(words.filter((text) => text.includes('⋯'))).toEqual(['⋯ 100 ms', '⋯']);
  expect(words).toEqual(expect.arrayContaining(['Load 1', 'Load 2', 'F5 · 400 ms']));
});
