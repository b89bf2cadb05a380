/** A report as a badge, in the endpoint format of shields.io. Pure. */
import { exitCodeOfReport, worstExitCode } from '../exitCode.ts';
import type { Report } from './facts.ts';

export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

const COLORS: readonly (readonly [RegExp, string])[] = [
  [/^(reload-safe|bridged|stateless, as specified)$/, 'brightgreen'],
  [/with issues/, 'yellow'],
  [/^(loses|unusable)/, 'red'],
];

export function drawBadge(reports: readonly Report[]): Badge {
  const codes = reports.map(exitCodeOfReport);
  const worst = worstExitCode(codes);
  const shown = reports.find((_, at) => codes[at] === worst) ?? reports[0];
  const [grade = 'not tested'] = shown?.grade.split(' (') ?? [];
  const isUnreached = shown?.incomplete !== undefined && shown.scenarios.length === 0;
  const message = isUnreached ? 'not reached' : grade;
  const color = COLORS.find(([pattern]) => pattern.test(message))?.[1] ?? 'lightgrey';
  return { schemaVersion: 1, label: 'MCP page reload', message, color };
}
