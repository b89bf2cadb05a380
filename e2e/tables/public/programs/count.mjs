// The tool of all these programs: ten steps, a progress notification for each, three seconds in all.
import { setTimeout as pause } from 'node:timers/promises';

export const STEPS = 10;
export const PORT = Number(process.env.PORT);
export const MODE = process.argv[2] ?? '';

/** @param {(step: number) => unknown} report */
export async function count(report) {
  for (let step = 1; step <= STEPS; step += 1) {
    await pause(300);
    await report(step);
  }
  return { content: [{ type: 'text', text: `Counted to ${STEPS}.` }] };
}

/**
 * For SDKs whose tools send the notification by hand.
 * @param {string | number | undefined} progressToken
 * @param {(notification: { method: string, params: object }) => unknown} notify
 */
export function countAndNotify(progressToken, notify) {
  return count((step) => {
    if (progressToken === undefined) return;
    return notify({
      method: 'notifications/progress',
      params: { progressToken, progress: step, total: STEPS },
    });
  });
}
