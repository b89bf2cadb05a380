import type { Target } from '../../targets/core/target.ts';

const LOOK_EVERY_MS = 250;

/** Resolves when no tool of the targets runs any more, or after `limitMs`. */
export async function untilIdle(targets: readonly Target[], limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (targets.some(({ isBusy }) => isBusy) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
