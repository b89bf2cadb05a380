/**
 * Runs each update with the next frame, and under a burst a few times a second: nobody reads faster, and drawing must
 * not slow down what is drawn: it gets a twentieth of the time, whatever the machine. In a hidden tab, where no frames
 * come, a slow timer takes their place.
 */
import { runApart } from './runApart.ts';

export interface FrameClock {
  now(): number;
  /** Both return their undo. */
  requestFrame(fn: () => void): () => void;
  after(delayMs: number, fn: () => void): () => void;
}

const SHORTEST_GAP_MS = 100;
const LONGEST_GAP_MS = 400;
/** The gap after a frame, in times that the frame took. */
const GAP_PER_COST = 19;
const WITHOUT_FRAMES_MS = 500;

export class FrameBatcher {
  readonly #clock: FrameClock;
  readonly #waiting = new Set<() => void>();
  #undo: (() => void)[] = [];
  #flushedAt = -Infinity;
  #gapMs = SHORTEST_GAP_MS;

  constructor(clock: FrameClock = browserFrames) {
    this.#clock = clock;
  }

  schedule(update: () => void): void {
    this.#waiting.add(update);
    if (this.#undo.length > 0) return;
    const flush = () => this.#flush();
    const askForFrame = () => this.#undo.push(this.#clock.requestFrame(flush));
    this.#undo.push(this.#clock.after(WITHOUT_FRAMES_MS, flush));
    const waitMs = this.#flushedAt + this.#gapMs - this.#clock.now();
    if (waitMs > 0) this.#undo.push(this.#clock.after(waitMs, askForFrame));
    else askForFrame();
  }

  /** For what somebody waits for: with the next frame, also under a burst. */
  scheduleNext(update: () => void): void {
    this.schedule(update);
    this.#undo.push(this.#clock.requestFrame(() => this.#flush()));
  }

  #flush(): void {
    for (const cancel of this.#undo) cancel();
    this.#undo = [];
    this.#flushedAt = this.#clock.now();
    const updates = [...this.#waiting];
    this.#waiting.clear();
    for (const update of updates) runApart(update);
    // What was told is drawn before the next task begins.
    this.#clock.after(0, () => {
      const costMs = this.#clock.now() - this.#flushedAt;
      this.#gapMs = Math.min(LONGEST_GAP_MS, Math.max(SHORTEST_GAP_MS, GAP_PER_COST * costMs));
    });
  }
}

const browserFrames: FrameClock = {
  now: () => performance.now(),
  requestFrame(fn) {
    const frame = requestAnimationFrame(fn);
    return () => cancelAnimationFrame(frame);
  },
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs);
    return () => clearTimeout(timer);
  },
};
