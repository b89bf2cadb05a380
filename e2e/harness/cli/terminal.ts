/** How progress is shown: colors and a line that is overwritten on a terminal, plain lines everywhere else. Pure. */
import type { ScenarioResult, Verdict } from '../report/facts.ts';

export interface Terminal {
  readonly isTty: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const COLORS: Readonly<Record<Verdict, number>> = { pass: 32, fail: 31, unsupported: 90, skipped: 33 };

/** https://no-color.org: any value but an empty one. */
export function isColored({ isTty, env }: Terminal): boolean {
  return isTty && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

export function endedLine({ name, verdict, why, durationMs }: ScenarioResult): string {
  const took = durationMs === undefined ? '' : ` (${(durationMs / 1000).toFixed(1)} s)`;
  return `  ${verdict.padEnd(11)} ${name}${took}: ${why}`;
}

/** Colors the verdict of such a line, which is free of control characters by then. */
export function paint(line: string, verdict: Verdict): string {
  return line.replace(verdict, (word) => `\u001b[${COLORS[verdict]}m${word}\u001b[39m`);
}

export const startedLine = (name: string, at: number, total: number): string => `  ${at}/${total} ${name} …`;

/** Removes what `startedLine` has written. */
export const CLEAR_LINE = '\r\u001b[K';
