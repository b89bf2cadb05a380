/** Time and randomness as they reach the rest of the code, so that tests can hold both still. */
export interface Clock {
  now(): number;
  /** Runs `fn` once after `delayMs`; the returned undo is idempotent. */
  after(delayMs: number, fn: () => void): () => void;
  /** A number in [0, 1). */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
  random: () => Math.random(),
};
