/** How long to wait before asking again: doubling, capped, jittered so that many streams do not ask as one. */
export const PACES = {
  /** 409: the server is about to notice that the old page is gone. */
  quick: { firstMs: 50, capMs: 2000 },
  /** No answer, or a plea for patience. */
  calm: { firstMs: 250, capMs: 10_000 },
} as const;

export function backoffMs(attempt: number, pace: keyof typeof PACES, random: number): number {
  const { firstMs, capMs } = PACES[pace];
  const delayMs = Math.min(capMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(delayMs * (0.75 + random * 0.5));
}
