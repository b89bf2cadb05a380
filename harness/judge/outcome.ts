/** From what happened to interrupted calls to a letter, and from all verdicts to a grade and an exit code. Pure. */
import type { BridgeMark } from '../../src/base/bridgeContract.ts';
import type { Era } from '../context.ts';
import type { Outcome, Report, Returned, ScenarioResult } from '../report/facts.ts';
import { failsAt } from './levels.ts';
import { breaches } from './terms.ts';

/** Only a call that was interrupted says something: without one there is no letter. */
export function outcomeOf(
  scenarios: readonly ScenarioResult[],
  { hasSession }: { readonly hasSession: boolean },
): Outcome | null {
  const returns = scenarios.flatMap(({ returned }) => returned ?? []);
  // One lost result is enough, and what the others say of the session tells most about it.
  const lost = returns.filter(({ resultDelivered }) => !resultDelivered);
  const loss = lost.find(({ wasBlind }) => !wasBlind) ?? lost[0];
  const isTask = returns.some(({ followedAsTask, resultDelivered }) => followedAsTask && resultDelivered);
  if (returns.length === 0) return null;
  if (!hasSession) return isTask ? 'T' : 'S';
  if (loss) return letterOfLoss(loss);
  if (isTask) return 'T';
  return returns.some(({ recovered }) => recovered > 0) ? 'A' : null;
}

function letterOfLoss({ restarted, isRevived, givesEventIds, refused }: Returned): Outcome {
  if (isRevived) return 'C';
  if (restarted) return 'B';
  return givesEventIds && refused ? 'E' : 'D';
}

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  A: 'missed events replayed, result delivered',
  B: 'session rejected after the reload',
  C: 'resumed only after a new initialize',
  D: "session resumed, but the call's result was lost",
  E: 'event IDs sent, but resuming was rejected',
  S: 'no session to resume',
  T: 'continued as a task',
};

export type Grade =
  | 'reload-safe'
  | 'resumes, with issues'
  /** Tested through a bridge: that a page can connect at all, and often the replay, isn't the server's own. */
  | 'bridged'
  | 'bridged, with issues'
  | 'loses calls'
  /** The result comes, and what was sent before it does not. */
  | 'loses messages'
  | 'no session'
  /** A server of 2026-07-28: nothing is replayed there, and nothing that could be kept was lost. */
  | 'stateless, as specified'
  | 'stateless, with issues'
  | 'unusable in browsers'
  | 'not tested';

/** What the grade rests on. */
interface Extent {
  /** No page could connect at all. */
  readonly isBlocked?: boolean;
  readonly era?: Era;
  readonly bridge?: BridgeMark | undefined;
  /** How many scenarios there are, where not all of them were asked for. */
  readonly of?: number;
}

export function gradeOf(
  outcome: Outcome | null,
  scenarios: readonly ScenarioResult[],
  extent: Extent = {},
): string {
  const grade = wholeGrade(outcome, scenarios, extent);
  return extent.of === undefined ? grade : `${grade} (${scenarios.length} of ${extent.of} scenarios)`;
}

function wholeGrade(
  outcome: Outcome | null,
  scenarios: readonly ScenarioResult[],
  { isBlocked = false, era = 'session', bridge }: Extent,
): Grade {
  // Advice costs no grade.
  const failed = scenarios.filter((result) => failsAt(result, 'should'));
  if (isBlocked) return 'unusable in browsers';
  switch (outcome) {
    case null:
      return failed.some(({ returned, lost = 0 }) => returned && lost > 0) ? 'loses messages' : 'not tested';
    case 'S':
      if (era === 'session') return 'no session';
      return failed.length === 0 ? 'stateless, as specified' : 'stateless, with issues';
    case 'A':
    case 'C':
    case 'T':
      if (bridge) return failed.length === 0 ? 'bridged' : 'bridged, with issues';
      return failed.length === 0 ? 'reload-safe' : 'resumes, with issues';
    case 'B':
    case 'D':
    case 'E':
      return 'loses calls';
  }
}

/** `interrupts`: a scenario was asked for that interrupts a call, so that there should be a letter. */
export function exitCodeOf(
  report: Pick<Report, 'outcome' | 'grade' | 'scenarios' | 'terms'>,
  { interrupts }: { readonly interrupts: boolean },
): 0 | 1 | 4 {
  const { outcome, scenarios } = report;
  if (breaches(report).length > 0) return 1;
  const hasVerdict = scenarios.some(({ verdict }) => verdict === 'pass' || verdict === 'fail');
  const isJudged = interrupts ? outcome !== null : hasVerdict;
  return isJudged ? 0 : 4;
}
