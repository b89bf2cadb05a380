// Preloaded into server-everything: its timers for simulated log messages (one in 5 s) and for the roots (350 ms after the
// handshake, whether the page's stream is open by then or not) fire when the test says so.
const LOG_EVERY_MS = 5000;
const ASKS_FOR_ROOTS_AFTER_MS = 350;
const NEVER_MS = 2 ** 30;
const { setInterval: realInterval, setTimeout: realTimeout } = globalThis;
/** @type {Set<() => void>} */
const steps = new Set();

/**
 * @param {(step: () => void, delayMs: number, ...args: unknown[]) => unknown} real
 * @param {number} steppedMs
 * @param {boolean} isOnce
 */
const stepped =
  (real, steppedMs, isOnce) =>
  (/** @type {() => void} */ step, /** @type {number} */ delayMs, /** @type {unknown[]} */ ...args) => {
    if (delayMs !== steppedMs) return real(step, delayMs, ...args);
    const perform = () => {
      if (isOnce) steps.delete(perform);
      step();
    };
    steps.add(perform);
    return real(() => undefined, NEVER_MS);
  };
globalThis.setInterval = /** @type {typeof setInterval} */ (stepped(realInterval, LOG_EVERY_MS, false));
globalThis.setTimeout = /** @type {typeof setTimeout} */ (
  stepped(realTimeout, ASKS_FOR_ROOTS_AFTER_MS, true)
);

process.on('message', () => {
  for (const step of steps) step();
});
