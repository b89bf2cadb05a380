/** Runs each update at most once a frame; in a hidden tab, where no frames come, on a slow timer. */
export interface FrameClock {
  /** Both return their undo. */
  requestFrame(fn: () => void): () => void;
  after(delayMs: number, fn: () => void): () => void;
}

const WITHOUT_FRAMES_MS = 500;

export class FrameBatcher {
  readonly #clock: FrameClock;
  readonly #waiting = new Set<() => void>();
  #cancel: (() => void) | undefined;

  constructor(clock: FrameClock = browserFrames) {
    this.#clock = clock;
  }

  schedule(update: () => void): void {
    this.#waiting.add(update);
    if (this.#cancel) return;
    const flush = () => this.#flush();
    const cancelFrame = this.#clock.requestFrame(flush);
    const cancelTimer = this.#clock.after(WITHOUT_FRAMES_MS, flush);
    this.#cancel = () => {
      cancelFrame();
      cancelTimer();
    };
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const updates = [...this.#waiting];
    this.#waiting.clear();
    for (const update of updates) update();
  }
}

const browserFrames: FrameClock = {
  requestFrame(fn) {
    const frame = requestAnimationFrame(fn);
    return () => cancelAnimationFrame(frame);
  },
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs);
    return () => clearTimeout(timer);
  },
};
