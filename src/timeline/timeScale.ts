/** From time to pixels and back. A scale never changes: moving makes a new one. */

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Closer than this there is nothing to see: the log has milliseconds. */
const SHORTEST_MS = 20;
const LONGEST_MS = 366 * 86_400_000;

export class TimeScale {
  readonly from: number;
  readonly to: number;
  readonly width: number;

  constructor({ from, to }: TimeRange, width: number) {
    const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, to - from));
    this.from = from;
    this.to = from + length;
    this.width = Math.max(1, width);
  }

  get lengthMs(): number {
    return this.to - this.from;
  }

  get pixelsPerMs(): number {
    return this.width / this.lengthMs;
  }

  x(time: number): number {
    return (time - this.from) * this.pixelsPerMs;
  }

  time(x: number): number {
    return this.from + x / this.pixelsPerMs;
  }

  /** What is at `x` stays there. */
  zoom(factor: number, x: number): TimeScale {
    const lengthMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, this.lengthMs / factor));
    const from = this.time(x) - (x / this.width) * lengthMs;
    return new TimeScale({ from, to: from + lengthMs }, this.width);
  }

  pan(pixels: number): TimeScale {
    const ms = pixels / this.pixelsPerMs;
    return new TimeScale({ from: this.from + ms, to: this.to + ms }, this.width);
  }

  /** Moved only as far as it must to show this moment. */
  showing(time: number, marginPx = 24): TimeScale {
    const x = this.x(time);
    if (x >= marginPx && x <= this.width - marginPx) return this;
    return this.pan(x < marginPx ? x - marginPx : x - this.width + marginPx);
  }

  /** The round time between two marks of a ruler that are about `spacePx` apart. */
  stepFor(spacePx: number): number {
    return roundStep(spacePx / this.pixelsPerMs);
  }
}

/** All of a range, with some air around it. */
export function fit({ from, to }: TimeRange, width: number): TimeScale {
  const air = Math.max(SHORTEST_MS, to - from) * 0.03;
  return new TimeScale({ from: from - air, to: to + air }, width);
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 43_200_000,
];
const DAY_MS = 86_400_000;

function roundStep(atLeastMs: number): number {
  return STEPS_MS.find((step) => step >= atLeastMs) ?? Math.ceil(atLeastMs / DAY_MS) * DAY_MS;
}
