/** Time with its idle parts folded: from the clock to what is shown, and back. */
import type { TimeRange } from '../timeScale.ts';

/** Each fold takes this share of the width, and all of them together at most the other. */
const SHARE = 0.06;
const SHARE_OF_ALL = 0.35;
/** A pause within a call is folded only if it is this much of what is left to show. */
const LONG_PAUSE = 0.2;
/** Some time around a pause stays, so that what was before and after it does not touch the fold. */
const KEPT_SHARE = 0.03;
const KEPT_MOST_MS = 250;

export class Folds {
  readonly folds: readonly TimeRange[];
  readonly foldMs: number;
  /** For each fold, how much of the clock was folded away before it. */
  readonly #before: readonly number[];

  constructor(folds: readonly TimeRange[] = [], foldMs = 0) {
    this.folds = folds;
    this.foldMs = foldMs;
    let sum = 0;
    this.#before = folds.map(({ from, to }) => {
      const before = sum;
      sum += to - from - foldMs;
      return before;
    });
  }

  /** The place of a moment on the folded axis. */
  shown(time: number): number {
    const i = this.#lastFrom((fold) => fold.from <= time);
    const fold = this.folds[i];
    if (!fold) return time;
    const before = this.#before[i] ?? 0;
    if (time >= fold.to) return time - before - (fold.to - fold.from - this.foldMs);
    return fold.from - before + ((time - fold.from) / (fold.to - fold.from)) * this.foldMs;
  }

  /** The moment at a place of the folded axis. */
  time(shown: number): number {
    const i = this.#lastFrom((fold, k) => fold.from - (this.#before[k] ?? 0) <= shown);
    const fold = this.folds[i];
    if (!fold) return shown;
    const start = fold.from - (this.#before[i] ?? 0);
    const into = shown - start;
    if (into < this.foldMs) return fold.from + (into / this.foldMs) * (fold.to - fold.from);
    return fold.to + into - this.foldMs;
  }

  /** The fold that a moment is in. */
  at(time: number): TimeRange | undefined {
    const fold = this.folds[this.#lastFrom(({ from }) => from <= time)];
    return fold && time < fold.to ? fold : undefined;
  }

  /** The parts of a range that are not folded. */
  parts({ from, to }: TimeRange): readonly TimeRange[] {
    const inside = this.folds.filter((fold) => fold.to > from && fold.from < to);
    const starts = [from, ...inside.map((fold) => fold.to)];
    const ends = [...inside.map((fold) => fold.from), to];
    return starts.flatMap((start, i) => {
      const end = ends[i] ?? to;
      return start < end ? [{ from: start, to: end }] : [];
    });
  }

  #lastFrom(isBefore: (fold: TimeRange, i: number) => boolean): number {
    let low = 0;
    let high = this.folds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const fold = this.folds[middle];
      if (fold && isBefore(fold, middle)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

interface Idle {
  readonly times: readonly TimeRange[];
  /** Times in which something was running, in order and apart from each other. */
  readonly busy: readonly TimeRange[];
  /** Pauses that were unfolded, by their start. */
  readonly unfolded: ReadonlySet<number>;
}

/** Folds the pauses of a range: all of them where nothing was running, within a call only the long ones. */
export function foldIdle(range: TimeRange, { times, busy, unfolded }: Idle): Folds {
  const inside = times.filter(({ from, to }) => from >= range.from && to <= range.to && !unfolded.has(from));
  let left = range.to - range.from;
  const folded: TimeRange[] = [];
  const paused: TimeRange[] = [];
  for (const time of inside) {
    if (isBusy(busy, time)) paused.push(time);
    else {
      folded.push(time);
      left -= time.to - time.from;
    }
  }
  for (const time of paused.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const ms = time.to - time.from;
    if (ms < LONG_PAUSE * left) break;
    folded.push(time);
    left -= ms;
  }
  if (folded.length === 0) return new Folds();
  const keptMs = Math.min(KEPT_MOST_MS, Math.max(20, left * KEPT_SHARE));
  const share = Math.min(SHARE, SHARE_OF_ALL / folded.length);
  const active = Math.max(1, left) + 2 * keptMs * folded.length;
  return new Folds(
    folded.sort((a, b) => a.from - b.from).map(({ from, to }) => ({ from: from + keptMs, to: to - keptMs })),
    (active * share) / (1 - share * folded.length),
  );
}

/** Of ranges in order and apart from each other, the last one that begins before the end decides. */
function isBusy(busy: readonly TimeRange[], { from, to }: TimeRange): boolean {
  let low = 0;
  let high = busy.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((busy[middle]?.from ?? Infinity) < to) low = middle + 1;
    else high = middle;
  }
  return (busy[low - 1]?.to ?? -Infinity) > from;
}

/** Ranges in order, those that touch as one. */
export function merged(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}
