/** What lies under the pointer: an event, or else the bar that it points at. */
import { laneAt, type Scene } from './scene.ts';

const NEAR_PX = 7;

export function entryUnder(scene: Scene, x: number, y: number): number | undefined {
  const lane = laneAt(scene, y);
  return eventUnder(scene, lane, x) ?? barUnder(scene, lane, x);
}

function eventUnder({ index, lanes, scale, found }: Scene, lane: number, x: number): number | undefined {
  const end = index.positionAt(scale.time(x + NEAR_PX));
  let best: { readonly seq: number; readonly distance: number } | undefined;
  for (let i = index.positionAt(scale.time(x - NEAR_PX)); i < end; i += 1) {
    const shape = index.shapeAt(i);
    if (!lanes.lanesOf(shape).includes(lane)) continue;
    const seq = index.seqAt(i);
    if (found && found.at(found.indexOf(seq)) !== seq) continue;
    // Bookkeeping is drawn small, and wins only where there is nothing else.
    const distance = Math.abs(scale.x(index.timeAt(i)) - x) + (shape.mark === 'plain' ? NEAR_PX : 0);
    if (!best || distance < best.distance) best = { seq, distance };
  }
  return best?.seq;
}

function barUnder({ lanes, scale, now }: Scene, lane: number, x: number): number | undefined {
  const time = scale.time(x);
  return lanes.lanes[lane]?.bars.findLast(({ span }) => span.from <= time && time <= (span.to ?? now))?.span
    .first;
}
