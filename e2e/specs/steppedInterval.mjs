// Preloaded into server-everything: its timer for simulated log messages, one in 5 s, fires when the test says so.
const EVERY_MS = 5000;
const realInterval = globalThis.setInterval;
/** @type {Set<() => void>} */
const steps = new Set();

const stepped = (
  /** @type {() => void} */ step,
  /** @type {number} */ delayMs,
  /** @type {unknown[]} */ ...args
) => {
  if (delayMs !== EVERY_MS) return realInterval(step, delayMs, ...args);
  steps.add(step);
  return realInterval(() => undefined, 2 ** 30);
};
globalThis.setInterval = /** @type {typeof setInterval} */ (stepped);

process.on('message', () => {
  for (const step of steps) step();
});
