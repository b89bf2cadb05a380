/** What the user has set on top of the lanes of the log: the selected entry, bookmarks and the playhead. */
import { middleOf, type StoryScene } from './storyScene.ts';

export interface Markers {
  /** The number of an entry. */
  readonly selected: number | undefined;
  readonly bookmarks: readonly number[];
  /** A moment. */
  readonly playhead: number | undefined;
}

type Context = CanvasRenderingContext2D;

export function drawMarkers(context: Context, scene: StoryScene, markers: Markers): void {
  const { palette } = scene;
  if (markers.selected !== undefined) drawSelected(context, scene, markers.selected);
  context.font = `12px ${palette.font}`;
  context.fillStyle = palette.accent;
  for (const seq of markers.bookmarks) {
    const x = xOf(scene, seq);
    if (x !== undefined) context.fillText('★', x - 6, scene.headHeight * 0.3);
  }
  if (markers.playhead !== undefined) drawPlayhead(context, scene, markers.playhead);
}

function xOf({ index, scale }: StoryScene, seq: number): number | undefined {
  const i = index.positionOf(seq);
  return index.seqAt(i) === seq ? Math.round(scale.x(index.timeAt(i))) : undefined;
}

/** A line through all rows, and a ring where it belongs to one of them. */
function drawSelected(context: Context, scene: StoryScene, seq: number): void {
  const { index, palette, headHeight, height } = scene;
  const x = xOf(scene, seq);
  if (x === undefined) return;
  context.globalAlpha = 0.5;
  context.fillStyle = palette.text;
  context.fillRect(x, headHeight, 1, height);
  context.globalAlpha = 1;
  const [row] = scene.rowOf(index.shapeAt(index.positionOf(seq)));
  const y = row === undefined ? -Infinity : middleOf(scene, row);
  if (y < headHeight) return;
  context.strokeStyle = palette.text;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 8, 0, 2 * Math.PI);
  context.stroke();
}

function drawPlayhead(context: Context, { scale, palette, height }: StoryScene, playhead: number): void {
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
