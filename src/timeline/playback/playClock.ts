/** Where playback is, and how it moves on. Pure: frames and keys are at the edge. */
import type { Folds } from '../story/folds.ts';

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

export interface PlayClock {
  /** The times of the first and the last entry. */
  readonly from: number;
  readonly to: number;
  /** What has happened by this time is shown. */
  readonly at: number;
  readonly speed: Speed;
  readonly isPlaying: boolean;
}

export function clockOver(times: readonly number[]): PlayClock {
  const [from = 0] = times;
  return { from, to: times.at(-1) ?? from, at: from, speed: 1, isPlaying: false };
}

/** Some time has passed in front of the screen. @param pauses what is shortened, if anything is */
export function advance(clock: PlayClock, elapsedMs: number, pauses: Folds): PlayClock {
  if (!clock.isPlaying) return clock;
  const shown = pauses.shown(clock.at) + Math.max(0, elapsedMs) * clock.speed;
  return seek(clock, pauses.time(shown));
}

/** At the end there is nothing left to play. */
export function seek(clock: PlayClock, time: number): PlayClock {
  const at = Math.min(clock.to, Math.max(clock.from, time));
  return { ...clock, at, isPlaying: clock.isPlaying && at < clock.to };
}

/** Playing from the end begins at the beginning. */
export function toggled(clock: PlayClock): PlayClock {
  if (clock.isPlaying) return { ...clock, isPlaying: false };
  const at = clock.at >= clock.to ? clock.from : clock.at;
  return { ...clock, at, isPlaying: clock.from < clock.to };
}

export function faster(speed: Speed, by: 1 | -1): Speed {
  const at = SPEEDS.indexOf(speed) + by;
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))] ?? speed;
}
