/** How many there are of each number: enough for an exact median, and small, because most durations are alike. */
export type Tally = Readonly<Record<string, number>>;

export interface Spread {
  readonly count: number;
  readonly medianMs?: number;
  readonly worstMs?: number;
}

export function addTo(tally: Tally, ms: number): Tally {
  const key = String(Math.max(0, Math.round(ms)));
  return { ...tally, [key]: (tally[key] ?? 0) + 1 };
}

export function spreadOf(tally: Tally): Spread {
  const pairs = Object.entries(tally)
    .map(([ms, n]) => [Number(ms), n] as const)
    .sort(([a], [b]) => a - b);
  const count = pairs.reduce((sum, [, n]) => sum + n, 0);
  const worst = pairs.at(-1);
  if (!worst) return { count };
  const medianMs = (nth(pairs, Math.floor((count - 1) / 2)) + nth(pairs, Math.floor(count / 2))) / 2;
  return { count, medianMs, worstMs: worst[0] };
}

function nth(pairs: readonly (readonly [ms: number, n: number])[], index: number): number {
  let before = 0;
  for (const [ms, n] of pairs) {
    before += n;
    if (index < before) return ms;
  }
  return 0;
}
