/** The report as text: a table, and a paragraph for each failure. Pure. */
import { breaches } from '../judge/terms.ts';
import { OUTCOME_WORDS } from '../judge/outcome.ts';
import type { Exchange, Report, ScenarioResult, Verdict } from './facts.ts';
import { describeOther, problemsIn, type Problem } from './problems.ts';

const SIGNS: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  unsupported: '  –',
  skipped: 'skip',
};

const COLUMNS = [
  'scenario',
  'verdict',
  'control',
  'received',
  'replayed',
  'dup',
  'lost',
  'order',
  'blind',
  'back',
];

export function drawTable(report: Report): string {
  const rows = report.scenarios.map(rowOf);
  const widths = COLUMNS.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ');
  return [line(COLUMNS), ...rows.map(line)].map((text) => text.trimEnd()).join('\n');
}

export function describe(report: Report): string {
  if (report.scenarios.length === 0 && report.incomplete !== undefined) return report.incomplete;
  const { server, protocolVersion, incomplete, withoutCors } = report;
  const problems = problemsIn(report);
  const failures = problems.map(explain);
  const hidden = new Set(problems.flatMap((problem) => problem.hidden));
  const quiet = report.scenarios.filter(
    ({ name, verdict }) => (verdict === 'unsupported' || verdict === 'skipped') && !hidden.has(name),
  );
  const remarks = [...new Set(report.scenarios.flatMap(({ remarks: found = [] }) => found))];
  return [
    `${server.name} ${server.version} at ${report.target} (MCP ${protocolVersion})`,
    '',
    drawTable(report),
    ...(failures.length > 0 ? ['', ...failures] : []),
    ...(quiet.length > 0 ? ['', ...quiet.map(({ name, verdict, why }) => `${verdict} ${name}: ${why}`)] : []),
    ...(remarks.length > 0 ? ['', ...remarks.map((text) => `note: ${text}`)] : []),
    '',
    ...describeBridge(report),
    ...(withoutCors === true ? ['The browser did not enforce CORS (--allow-no-cors).'] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
    // Failures are told above; this is what only the terms of the run add.
    ...breaches(report).filter((text) => !text.endsWith(' failed.')),
    summarize(report),
  ].join('\n');
}

/** What of it is the server's, and what the bridge gives. */
function describeBridge({ bridge, scenarios }: Report): readonly string[] {
  if (!bridge || bridge.replay === 'server') return [];
  const list = (isOwn: boolean): string =>
    scenarios
      .filter(
        ({ name, verdict }) => bridge.ownScenarios.includes(name) === isOwn && verdict !== 'unsupported',
      )
      .map(({ name, verdict }) => `${name} ${SIGNS[verdict]}`)
      .join(', ') || 'nothing';
  return [`The server's own: ${list(true)}.`, `What the bridge gives: ${list(false)}.`];
}

/** In one line. */
export function summarize({ outcome, grade, bridge }: Report): string {
  const note = bridge ? ` (${bridge.note})` : '';
  return `Outcome ${outcome ?? '–'}${outcome ? `, ${OUTCOME_WORDS[outcome]}` : ''}. Grade: ${grade}${note}.`;
}

function rowOf(result: ScenarioResult): string[] {
  const number = (value: number | undefined, unit = ''): string =>
    value === undefined ? '' : `${Math.round(value)}${unit}`;
  return [
    result.name,
    SIGNS[result.verdict],
    number(result.control),
    number(result.received),
    number(result.replayed),
    number(result.duplicates),
    number(result.lost),
    number(result.outOfOrder),
    number(result.blindWindowMs, ' ms'),
    number(result.reconnectMs, ' ms'),
  ];
}

/** "SHOULD, 2025-11-25, …": how binding a failure is, and where that is said. */
export function describeLevel({ level, clause }: Pick<ScenarioResult, 'level' | 'clause'>): string {
  if (level === undefined) return '';
  const name = level === 'advice' ? 'advice' : level.toUpperCase();
  return ` [${name}${clause === undefined ? '' : `, ${clause}`}]`;
}

function explain({ shown, others, hidden, command }: Problem): string {
  const { name, why, fix, exchange } = shown;
  return [
    `FAIL ${name}: ${why}${describeLevel(shown)}`,
    ...(others.length > 0 ? [`     Also found by: ${others.map(describeOther).join(', ')}`] : []),
    ...(hidden.length > 0 ? [`     Not testable because of it: ${hidden.join(', ')}`] : []),
    ...(exchange ? [indent(describeExchange(exchange))] : []),
    ...(fix === undefined ? [] : [`     To change: ${fix}`]),
    `     Test again: ${command}`,
  ].join('\n');
}

export function describeExchange({
  method,
  url,
  requestHeaders,
  status,
  responseHeaders,
  body,
}: Exchange): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const lines = (headers: Readonly<Record<string, string>>, sign: string): string[] =>
    Object.entries(headers)
      .filter(([name]) => TELLING.test(name))
      .map(([name, value]) => `${sign} ${name}: ${value}`);
  return [
    `> ${method} ${path}`,
    ...lines(requestHeaders, '>'),
    `< ${status}`,
    ...lines(responseHeaders, '<'),
    ...(body === undefined
      ? []
      : body
          .trimEnd()
          .split('\n')
          .slice(0, 6)
          .map((text) => `< ${text.slice(0, 160)}`)),
  ].join('\n');
}

/** Dates and keep-alives say nothing about a failure. */
const TELLING =
  /^(mcp-|last-event-id|content-type|accept$|access-control-|origin|authorization|allow|retry-after)/i;

const indent = (text: string): string => text.replace(/^/gm, '     ');
