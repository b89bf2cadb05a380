/** Everything that one picture of the lanes depends on. */
import type { Lanes } from '../../../timeline/lanes.ts';
import type { Links } from '../../../timeline/links.ts';
import type { LogIndex } from '../../../timeline/logIndex.ts';
import type { Seqs } from '../../../timeline/seqs.ts';
import type { TimeRange, TimeScale } from '../../../timeline/timeScale.ts';
import type { Palette } from './palette.ts';

export interface Scene {
  readonly index: LogIndex;
  readonly lanes: Lanes;
  readonly scale: TimeScale;
  readonly height: number;
  /** How far the lanes are scrolled down. */
  readonly top: number;
  readonly laneHeight: number;
  readonly palette: Palette;
  /** Where bars end that have no end yet. */
  readonly now: number;
  /** With a filter, only these are drawn. */
  readonly found: Seqs | undefined;
  readonly selected: number | undefined;
  readonly links: Links | undefined;
  readonly range: TimeRange | undefined;
  readonly zero: number;
  readonly playhead: number | undefined;
  readonly bookmarks: readonly number[];
}

type Size = Pick<Scene, 'laneHeight'>;

/** Everything grows with its lane: on the stage a room reads it. */
export const sizeOf = ({ laneHeight }: Size): number => laneHeight / 24;
export const rulerHeight = (scene: Size): number => Math.round(20 * sizeOf(scene));

/** The middle of a lane, on the canvas. */
export function middleOf(scene: Pick<Scene, 'top' | 'laneHeight'>, lane: number): number {
  return rulerHeight(scene) + lane * scene.laneHeight + scene.laneHeight / 2 - scene.top;
}

/** The lane at a height of the canvas. */
export function laneAt(scene: Pick<Scene, 'top' | 'laneHeight'>, y: number): number {
  return Math.floor((y - rulerHeight(scene) + scene.top) / scene.laneHeight);
}

export const textPx = (scene: Size): number => Math.round(11 * sizeOf(scene));
