/** The entry under the pointer, if one is near. */
import { rowAt, type StoryScene } from './storyScene.ts';

const NEAR_PX = 7;
/** A burst has more than anyone could point at. */
const MOST = 20_000;

export function entryUnder(scene: StoryScene, x: number, y: number): number | undefined {
  const { index, scale, rowOf } = scene;
  const row = rowAt(scene, y);
  const end = index.positionAt(scale.time(x + NEAR_PX));
  const begin = Math.max(index.positionAt(scale.time(x - NEAR_PX)), end - MOST);
  let best: { readonly seq: number; readonly distance: number } | undefined;
  for (let i = begin; i < end; i += 1) {
    const shape = index.shapeAt(i);
    if (shape.mark === 'plain' || !rowOf(shape).includes(row)) continue;
    const distance = Math.abs(scale.x(index.timeAt(i)) - x);
    if (!best || distance < best.distance) best = { seq: index.seqAt(i), distance };
  }
  return best?.seq;
}
