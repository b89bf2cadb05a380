/** The report as text: a table, and a paragraph for each failure. Pure. */
import { OUTCOME_WORDS } from '../judge/outcome.ts';
import type { Exchange, Report, ScenarioResult, Verdict } from './facts.ts';

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
  const { server, protocolVersion, outcome, grade, incomplete, withoutCors } = report;
  const failures = report.scenarios.filter(({ verdict }) => verdict === 'fail').map(explain);
  const quiet = report.scenarios.filter(({ verdict }) => verdict === 'unsupported' || verdict === 'skipped');
  const remarks = [...new Set(report.scenarios.flatMap(({ remarks: found = [] }) => found))];
  return [
    `${server.name} ${server.version} at ${report.target} (MCP ${protocolVersion})`,
    '',
    drawTable(report),
    ...(failures.length > 0 ? ['', ...failures] : []),
    ...(quiet.length > 0 ? ['', ...quiet.map(({ name, verdict, why }) => `${verdict} ${name}: ${why}`)] : []),
    ...(remarks.length > 0 ? ['', ...remarks.map((text) => `note: ${text}`)] : []),
    '',
    ...(withoutCors === true ? ['The browser did not enforce CORS (--allow-no-cors).'] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
    `Outcome ${outcome ?? '–'}${outcome ? `, ${OUTCOME_WORDS[outcome]}` : ''}. Grade: ${grade}.`,
  ].join('\n');
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

function explain({ name, why, fix, exchange }: ScenarioResult): string {
  return [
    `FAIL ${name}: ${why}`,
    ...(exchange ? [indent(describeExchange(exchange))] : []),
    ...(fix === undefined ? [] : [`     To change: ${fix}`]),
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
