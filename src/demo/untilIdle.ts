import type { Target } from '../../e2e/targets/core/target.ts';

const LOOK_EVERY_MS = 250;

/** Resolves when no tool of the target runs any more, or after `limitMs`. */
export async function untilIdle(target: Target, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  const isBusy = () => target.sessions.all.some((session) => session.transport.runningCount > 0);
  while (isBusy() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
