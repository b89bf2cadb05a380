/** For tests: time that moves only when it is told to. */
import type { Clock } from '../../base/clock.ts';
import { settled } from '../../recorder/testing/testLog.ts';

export class StillClock implements Clock {
  time = 0;
  readonly #timers = new Set<{ at: number; fn: () => void }>();
  now = () => this.time;
  random = () => 0;

  after(delayMs: number, fn: () => void): () => void {
    const timer = { at: this.time + delayMs, fn };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  async to(time: number): Promise<void> {
    this.time = time;
    for (const timer of [...this.#timers]) {
      if (timer.at > time || !this.#timers.delete(timer)) continue;
      timer.fn();
    }
    await settled();
  }
}
