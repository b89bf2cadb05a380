/** How binding a finding is: by the words of the standard, or as advice of this harness. Pure. */
import type { Level, ScenarioResult } from '../report/facts.ts';

interface Rank {
  readonly level: Level;
  /** Where the standard says so. */
  readonly clause?: string;
}

const RESUMABILITY = '2025-11-25, Streamable HTTP: Resumability and Redelivery';
const SESSIONS = '2025-11-25, Streamable HTTP: Session Management';

/** For a scenario that failed, unless its finding says otherwise. */
const RANKS: Readonly<Record<string, Rank>> = {
  cors: { level: 'must', clause: 'Fetch: CORS protocol' },
  control: { level: 'must' },
  'reload-before-first-event': { level: 'should', clause: RESUMABILITY },
  'pending-question': { level: 'should' },
  'reload-with-task': { level: 'must' },
  'reload-with-question': { level: 'should' },
  'reload-cancels': { level: 'should' },
  'repeated-request': { level: 'should' },
  'ended-session': { level: 'must', clause: SESSIONS },
  'unknown-cursor': { level: 'advice' },
  'stream-isolation': { level: 'must', clause: RESUMABILITY },
  'session-isolation': { level: 'must' },
  'standalone-stream': { level: 'should', clause: RESUMABILITY },
};

/** An interrupted call: the standard lets a server do without replay, so only what it gets wrong is more than that. */
const RESUMED: Rank = { level: 'should', clause: RESUMABILITY };

export function withLevel(result: ScenarioResult): ScenarioResult {
  if (result.verdict !== 'fail' || result.level !== undefined) return result;
  return { ...result, ...(RANKS[result.name] ?? RESUMED) };
}

const ORDER: readonly Level[] = ['must', 'should', 'advice'];

/** Whether a finding is at least so binding. A call that was lost, or that ran twice, always is. */
export function failsAt(
  { name, verdict, level = 'must', returned, lost = 0 }: ScenarioResult,
  threshold: Level,
): boolean {
  if (verdict !== 'fail') return false;
  if (name === 'repeated-request') return true;
  if (returned && (!returned.resultDelivered || lost > 0)) return true;
  return ORDER.indexOf(level) <= ORDER.indexOf(threshold);
}
