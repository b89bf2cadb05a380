/** What a person has set on top of the lanes: the selection with what it hangs together with, the range, the playhead. */
import { middleOf, rulerHeight, sizeOf, type Scene } from './scene.ts';

export function drawOverlay(context: CanvasRenderingContext2D, scene: Scene): void {
  drawRange(context, scene);
  drawLinks(context, scene);
  drawSelection(context, scene);
  drawBookmarks(context, scene);
  drawPlayhead(context, scene);
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function placeOf(scene: Scene, seq: number): Place | undefined {
  const { index, lanes, scale } = scene;
  const i = index.positionOf(seq);
  if (index.seqAt(i) !== seq) return undefined;
  const [lane] = lanes.lanesOf(index.shapeAt(i));
  return lane === undefined ? undefined : { x: scale.x(index.timeAt(i)), y: middleOf(scene, lane) };
}

function drawRange(context: CanvasRenderingContext2D, scene: Scene): void {
  const { range, scale, palette, height } = scene;
  if (!range) return;
  const top = rulerHeight(scene);
  const from = scale.x(range.from);
  const to = scale.x(range.to);
  context.save();
  context.globalAlpha = 0.72;
  context.fillStyle = palette.sunken;
  context.fillRect(0, top, Math.max(0, from), height);
  context.fillRect(to, top, Math.max(0, scale.width - to), height);
  context.restore();
  context.fillStyle = palette.look;
  for (const x of [from, to]) context.fillRect(Math.round(x) - 1, 0, 2, height);
}

function drawLinks(context: CanvasRenderingContext2D, scene: Scene): void {
  const { links, selected, palette } = scene;
  if (!links || selected === undefined) return;
  const places = [...links.links.map(({ seq }) => seq), selected]
    .sort((a, b) => a - b)
    .map((seq) => placeOf(scene, seq))
    .filter((place) => place !== undefined);
  context.strokeStyle = palette.text;
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.beginPath();
  for (const [i, { x, y }] of places.entries()) {
    const before = places[i - 1];
    if (!before) context.moveTo(x, y);
    else context.bezierCurveTo((before.x + x) / 2, before.y, (before.x + x) / 2, y, x, y);
  }
  context.stroke();
  context.setLineDash([]);
  for (const { x, y } of places) ring(context, x, y, 6.5 * sizeOf(scene));
}

function drawSelection(context: CanvasRenderingContext2D, scene: Scene): void {
  const place = scene.selected === undefined ? undefined : placeOf(scene, scene.selected);
  if (!place) return;
  context.strokeStyle = scene.palette.text;
  context.lineWidth = 2;
  ring(context, place.x, place.y, 8 * sizeOf(scene));
  context.globalAlpha = 0.5;
  context.fillStyle = scene.palette.text;
  context.fillRect(Math.round(place.x), rulerHeight(scene), 1, scene.height);
  context.globalAlpha = 1;
}

function drawBookmarks(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette } = scene;
  context.font = `12px ${palette.font}`;
  context.fillStyle = palette.accent;
  for (const seq of scene.bookmarks) {
    const place = placeOf(scene, seq);
    if (!place) continue;
    context.fillText('★', place.x - 6, rulerHeight(scene) / 2);
    context.fillRect(Math.round(place.x), rulerHeight(scene) - 4, 1, 4);
  }
}

function drawPlayhead(context: CanvasRenderingContext2D, { playhead, scale, palette, height }: Scene): void {
  if (playhead === undefined) return;
  const x = Math.round(scale.x(playhead));
  context.fillStyle = palette.good;
  context.fillRect(x - 1, 0, 2, height);
  context.beginPath();
  context.moveTo(x - 6, 0);
  context.lineTo(x + 6, 0);
  context.lineTo(x, 10);
  context.closePath();
  context.fill();
}

function ring(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.stroke();
}
