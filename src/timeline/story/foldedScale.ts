/** From time to pixels and back, where idle time is folded. It never changes: moving makes a new one. */
import { TimeScale, type TimeRange } from '../timeScale.ts';
import { Folds } from './folds.ts';

export class FoldedScale {
  readonly folds: Folds;
  /** The same range on the folded axis. */
  readonly #shown: TimeScale;

  constructor(range: TimeRange, width: number, folds = new Folds()) {
    this.folds = folds;
    this.#shown = new TimeScale({ from: folds.shown(range.from), to: folds.shown(range.to) }, width);
  }

  get from(): number {
    return this.folds.time(this.#shown.from);
  }

  get to(): number {
    return this.folds.time(this.#shown.to);
  }

  get width(): number {
    return this.#shown.width;
  }

  get pixelsPerMs(): number {
    return this.#shown.pixelsPerMs;
  }

  x(time: number): number {
    return this.#shown.x(this.folds.shown(time));
  }

  time(x: number): number {
    return this.folds.time(this.#shown.time(x));
  }

  /** What is at `x` stays there. */
  zoom(factor: number, x: number): TimeRange {
    return this.#range(this.#shown.zoom(factor, x));
  }

  pan(pixels: number): TimeRange {
    return this.#range(this.#shown.pan(pixels));
  }

  /** Moved only as far as it must to show this moment. */
  showing(time: number): TimeRange {
    return this.#range(this.#shown.showing(this.folds.shown(time)));
  }

  /** Round clock times, about `spacePx` apart; none within a fold. */
  ticks(spacePx = 90): readonly number[] {
    const { from, to } = this;
    // Rounds by the clock of the user, whose midnight is not that of UTC.
    const zero = new Date(from).getTimezoneOffset() * 60_000;
    const step = this.#shown.stepFor(spacePx);
    return this.folds.parts({ from, to }).flatMap((part) => {
      const first = Math.ceil((part.from - zero) / step);
      const last = Math.floor((part.to - zero) / step);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => zero + (first + i) * step);
    });
  }

  #range({ from, to }: TimeScale): TimeRange {
    return { from: this.folds.time(from), to: this.folds.time(to) };
  }
}
