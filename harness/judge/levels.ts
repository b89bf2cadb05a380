/** How binding a finding is, and whether it makes a run fail. Pure. */
import type { Level, ScenarioResult } from '../report/facts.ts';
import { rankOf } from './causes.ts';

/** A failure without a cause is one of the harness: it could not carry the scenario out. */
export function withLevel(result: ScenarioResult): ScenarioResult {
  const { verdict, cause } = result;
  if (verdict !== 'fail' || cause === undefined) return result;
  const { level, clause } = rankOf(cause);
  return { ...result, level, ...(clause !== undefined && { clause }) };
}

const ORDER: readonly Level[] = ['must', 'should', 'advice'];

/** Whether a finding is at least so binding. A call that was lost, or that ran twice, always is. */
export function failsAt(
  { verdict, cause, level = 'must', returned, lost = 0 }: ScenarioResult,
  threshold: Level,
): boolean {
  if (verdict !== 'fail') return false;
  if (cause === 'runs-twice') return true;
  if (returned && (!returned.resultDelivered || lost > 0)) return true;
  return ORDER.indexOf(level) <= ORDER.indexOf(threshold);
}
