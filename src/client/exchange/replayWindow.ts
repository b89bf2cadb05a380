/**
 * Which events of a resumed stream were missed? Nothing on the wire says so. A replay comes in one go, right after the
 * head; the stream is live again when it falls silent.
 */
import type { Clock } from '../../base/clock.ts';

/** How long after the head a replay may begin. A server that is slow to answer is as slow to send the first event. */
const STARTS_WITHIN_MS = { least: 60, most: 500 };
const PAUSES_AT_MOST_MS = 30;
/** A timer that comes later than this says that the page was busy: what has arrived meanwhile isn't read yet. */
const LATE_MS = 15;

export class ReplayWindow {
  readonly #clock: Clock;
  #isOpen = false;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The head of a resumed stream has come, so long after its request. */
  open(answeredAfterMs: number): void {
    this.#isOpen = true;
    this.#closeAfter(Math.min(Math.max(answeredAfterMs, STARTS_WITHIN_MS.least), STARTS_WITHIN_MS.most));
  }

  /** Events have come. */
  extend(): void {
    if (this.#isOpen) this.#closeAfter(PAUSES_AT_MOST_MS);
  }

  close(): void {
    this.#cancelTimer?.();
    this.#isOpen = false;
  }

  #closeAfter(quietMs: number): void {
    this.#cancelTimer?.();
    const dueAt = this.#clock.now() + quietMs;
    this.#cancelTimer = this.#clock.after(quietMs, () => {
      if (this.#clock.now() - dueAt > LATE_MS) this.#closeAfter(PAUSES_AT_MOST_MS);
      else this.close();
    });
  }
}
