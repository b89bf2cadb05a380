/** The type of presentation mode grows with the screen: in proportion to its height, and never wider than the screen. */

/** At 1920 × 1080 it's 28 px, which the last row can read. */
const OF_HEIGHT = 28 / 1080;
const OF_WIDTH = 28 / 1920;
const SMALLEST = 15;

/** The base size in pixels. Everything else is a multiple of it. */
export function stageFont(width: number, height: number): number {
  const fitted = Math.min(width * OF_WIDTH, height * OF_HEIGHT);
  return Math.round(Math.max(SMALLEST, fitted) * 10) / 10;
}

/** How much larger than in the app the lanes are drawn. */
export function stageSize(width: number, height: number): number {
  return stageFont(width, height) / 15;
}
