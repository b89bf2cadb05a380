/** From what happened to an interrupted call to a letter, and from all verdicts to a grade. Pure. */
import type { Era } from '../context.ts';
import type { Outcome, Returned, ScenarioResult } from '../report/facts.ts';

export interface ReturnFacts extends Returned {
  /** The server gave a session that a page can read. */
  readonly hasSession: boolean;
}

export function outcomeOf(facts: ReturnFacts): Outcome {
  if (facts.followedAsTask && facts.resultDelivered) return 'T';
  if (!facts.hasSession) return 'S';
  if (facts.restarted) return facts.resultDelivered ? 'C' : 'B';
  if (facts.resultDelivered) return 'A';
  return facts.givesEventIds && facts.refused ? 'E' : 'D';
}

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  A: 'resumed: events replayed, result delivered',
  B: 'the session was refused on return',
  C: 'the session came back only after a new initialize, and the result arrived',
  D: 'the session came back, the result of the interrupted call never did',
  E: 'resumption was refused although the server gave event ids',
  S: 'no session to return to',
  T: 'followed as a task',
};

export type Grade =
  | 'refresh-proof'
  | 'resumes, with faults'
  | 'loses calls'
  | 'no session'
  /** A server of 2026-07-28: nothing is replayed there, and nothing that could be kept was lost. */
  | 'as its revision allows'
  | 'stateless, with faults'
  | 'blocked for pages'
  | 'not judged';

/** `isBlocked`: no page could connect at all. */
export function gradeOf(
  outcome: Outcome | null,
  scenarios: readonly ScenarioResult[],
  { isBlocked = false, era = 'session' }: { isBlocked?: boolean; era?: Era } = {},
): Grade {
  const failed = scenarios.filter(({ verdict }) => verdict === 'fail');
  if (isBlocked) return 'blocked for pages';
  switch (outcome) {
    case null:
      return 'not judged';
    case 'S':
      if (era === 'session') return 'no session';
      return failed.length === 0 ? 'as its revision allows' : 'stateless, with faults';
    case 'A':
    case 'C':
    case 'T':
      return failed.length === 0 ? 'refresh-proof' : 'resumes, with faults';
    case 'B':
    case 'D':
    case 'E':
      return 'loses calls';
  }
}

export function exitCodeOf(scenarios: readonly ScenarioResult[]): 0 | 1 {
  return scenarios.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
}
