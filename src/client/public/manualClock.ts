/** A clock for tests: time stands still until the test moves it on. */
import type { Clock } from '../../base/clock.ts';

export interface ManualClock extends Clock {
  /** Moves on, runs what falls due, and resolves when the promises that this settled have run. */
  advance(ms: number): Promise<void>;
}

/** A clock that stands still. */
export function manualClock(startAt = 0): ManualClock {
  let time = startAt;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return {
    now: () => time,
    random: () => 0,
    after(delayMs, run) {
      const timer = { at: time + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = time + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        time = Math.max(time, next.at);
        next.run();
        await settled();
      }
      time = end;
      await settled();
    },
  };
}
