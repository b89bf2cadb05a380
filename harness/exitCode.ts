/** The exit code of a run, read from its reports. Pure. */
import { exitCodeOf } from './judge/outcome.ts';
import type { Report } from './report/facts.ts';
import { SCENARIOS } from './scenarios/index.ts';

/** 0 nothing failed, 1 something failed, 3 unreachable, 4 nothing could be judged, 130 stopped. */
export type ExitCode = 0 | 1 | 3 | 4 | 130;

/** What a caller has to know first comes first. */
const ORDER: readonly ExitCode[] = [130, 3, 1, 4, 0];

export function exitCodeOfReport(report: Report): ExitCode {
  if (report.incomplete !== undefined) return 3;
  const ran = new Set(report.scenarios.map(({ name }) => name));
  const interrupts = SCENARIOS.some((scenario) => scenario.interrupts === true && ran.has(scenario.name));
  return exitCodeOf(report, { interrupts });
}

export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return ORDER.find((code) => codes.includes(code)) ?? 4;
}
