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

const SIGNS: Readonly<Record<Verdict, string>> = { pass: '✓', fail: '✗', unsupported: '–', skipped: '?' };
const NAME_WIDTH = 27;

/** "  ✗ reload-mid-call              2.6 s   14/25   11 lost"; where there is nothing to count, the reason. */
export function endedLine(result: ScenarioResult): string {
  const { name, verdict, durationMs } = result;
  const head = `  ${SIGNS[verdict]} ${name.padEnd(NAME_WIDTH)}`;
  const took = durationMs === undefined ? '' : `${(durationMs / 1000).toFixed(1)} s`.padStart(7);
  return `${head}${took.padEnd(10)}${numbersOf(result)}`.trimEnd();
}

function numbersOf(result: ScenarioResult): string {
  const { verdict, cause, why, received, control, lost = 0, outOfOrder = 0 } = result;
  // Told once, with the problem that is the cause.
  if (verdict === 'unsupported' && cause !== undefined) return 'needs event IDs';
  const isCounted = received !== undefined && control !== undefined;
  if (verdict === 'unsupported' || verdict === 'skipped' || (verdict === 'fail' && !isCounted)) return why;
  if (!isCounted) return '';
  const isOther = verdict === 'fail' && lost === 0 && outOfOrder === 0;
  return [
    `${received}/${control}`,
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(outOfOrder > 0 ? [`${outOfOrder} out of order`] : []),
    ...(isOther ? [why] : []),
  ].join('   ');
}

/** Colors the sign of such a line, which is free of control characters by then. */
export function paint(line: string, verdict: Verdict): string {
  return line.replace(SIGNS[verdict], (sign) => `\u001b[${COLORS[verdict]}m${sign}\u001b[39m`);
}

/** One line of a narrow terminal: a longer one would not be removed whole. */
const LINE_WIDTH = 76;

export function startedLine(names: readonly string[], at: number, total: number): string {
  const line = `  ${at}/${total} ${names.join(', ')}`;
  return `${line.slice(0, LINE_WIDTH)} …`;
}

/** Removes what `startedLine` has written. */
export const CLEAR_LINE = '\r\u001b[K';
