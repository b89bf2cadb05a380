/** Whether a verdict that was found beside other scenarios has to be found alone too. Pure. */
import type { ScenarioResult } from '../report/facts.ts';
import type { Cause } from './causes.ts';

/** Neither a busy machine nor another session can make these up. */
const CERTAIN: ReadonlySet<Cause> = new Set(['out-of-order', 'events-repeated', 'runs-twice']);

/** A matter of time, so each of them is looked at alone. */
const SLOW: ReadonlySet<Cause> = new Set([
  'late-event-id',
  'result-not-sent',
  'stream-held',
  'stream-stalls',
]);

/**
 * @param confirmed causes that a scenario of this run has shown alone
 */
export function needsQuiet(
  { verdict, cause, durationMs }: ScenarioResult,
  confirmed: ReadonlySet<Cause>,
): boolean {
  // Without a duration it wasn't run, so nothing has disturbed it.
  if (durationMs === undefined || verdict === 'pass' || verdict === 'unsupported') return false;
  // A call that was over too early, or that missed nothing.
  if (verdict === 'skipped' || cause === undefined) return true;
  if (CERTAIN.has(cause)) return false;
  return SLOW.has(cause) || !confirmed.has(cause);
}

/** Only the result that was found alone counts. Where another one fell, the report says so. */
export function settleAlone(beside: ScenarioResult, alone: ScenarioResult): ScenarioResult {
  if (!isOverturned(beside, alone)) return alone;
  const remark = `"${alone.name}" failed while other scenarios ran, and passed alone. ${beside.why}`;
  return { ...alone, remarks: [...(alone.remarks ?? []), remark] };
}

/** The server does worse with several sessions at a time, or the machine is too busy. */
export function isOverturned(beside: ScenarioResult, alone: ScenarioResult): boolean {
  return beside.verdict === 'fail' && alone.verdict === 'pass';
}
