/** One result for a scenario that was run several times: one failure is enough. Pure. */
import type { ScenarioResult } from '../report/facts.ts';

export function sumOfRuns(results: readonly ScenarioResult[]): ScenarioResult {
  const [first] = results;
  if (!first) throw new Error('A scenario that was not run has no result.');
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  const durationMs = results.reduce((sum, result) => sum + (result.durationMs ?? 0), 0);
  const shown = failed[0] ?? results.at(-1) ?? first;
  if (results.length === 1) return shown;
  const runs =
    failed.length > 0 ? ` (${failed.length} of ${results.length} runs)` : ` (${results.length} runs)`;
  return { ...shown, why: `${shown.why}${runs}`, durationMs };
}
