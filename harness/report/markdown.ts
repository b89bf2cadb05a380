/** The report as Markdown, for the summary of a CI run: the sum, each problem with what was seen, and all scenarios. Pure. */
import { duration } from '../../src/base/format.ts';
import { describeChanges, type Changes } from './compareReports.ts';
import type { Report, ScenarioResult, Verdict } from './facts.ts';
import { evidenceOf, problemsIn, sumOf, type Problem } from './problems.ts';
import { browserIn, describeExchange, describeLevel, explainOutcome } from './text.ts';
import { drawWaterfallText } from './waterfallText.ts';

const SIGNS: Readonly<Record<Verdict, string>> = { pass: '✅', fail: '❌', unsupported: '➖', skipped: '❔' };
/** A summary is cut at 1 MiB: one with many servers must keep what failed. */
const MOST_PROBLEMS = 20;

export function drawMarkdown(reports: readonly Report[], changes?: Changes): string {
  const parts = reports.map(drawReport);
  const changed = changes ? describeChanges(changes).map((line) => `**${line}**`) : [];
  return `${['# mcp-reprise verify', ...changed, ...parts].join('\n\n')}\n`;
}

function drawReport(report: Report): string {
  const { server, target, grade, incomplete, scenarios, durationMs } = report;
  const sum = sumOf(scenarios).map((part) => part.join(' '));
  const problems = problemsIn(report).slice(0, MOST_PROBLEMS);
  return [
    `## ${inline(`${server.name} ${server.version}`.trim())}: ${inline(grade)}`,
    `${code(target)} · ${inline(explainOutcome(report))}`,
    ...(incomplete === undefined ? [] : [`**${inline(incomplete)}**`]),
    ...problems.map(drawProblem),
    ...(scenarios.length > 0
      ? [drawTable(scenarios), [sum.join(', '), duration(durationMs), ...browserIn(report)].join(' · ')]
      : []),
  ].join('\n\n');
}

function drawProblem({ title, shown, others, command }: Problem): string {
  const level = describeLevel(shown);
  const found = [shown, ...others].map((one) => `- ${code(one.name)}: ${inline(evidenceOf(one))}`);
  return [
    `### ❌ ${inline(title)}${level === '' ? '' : ` (${level})`}`,
    found.join('\n'),
    ...(shown.waterfall ? [block(drawWaterfallText(shown.waterfall))] : []),
    ...(shown.exchange ? [details('HTTP exchange', block(describeExchange(shown.exchange)))] : []),
    ...(shown.fix === undefined ? [] : [`**Fix:** ${inline(shown.fix)}`]),
    ...(shown.traces ?? []).slice(-1).map((file) => `Trace: ${code(`npx playwright show-trace ${file}`)}`),
    `Test again: ${code(command)}`,
  ].join('\n\n');
}

/** Failures first, as they are what a reader looks for. */
function drawTable(scenarios: readonly ScenarioResult[]): string {
  const order: readonly Verdict[] = ['fail', 'pass', 'skipped', 'unsupported'];
  const rows = [...scenarios]
    .sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
    .map((one) => {
      const { name, verdict, received, control, replayed, lost, durationMs } = one;
      const counted = received === undefined || control === undefined ? '' : `${received}/${control}`;
      const took = durationMs === undefined ? '' : duration(durationMs);
      const cells = [`${SIGNS[verdict]} ${name}`, counted, replayed ?? '', lost ?? '', took, inline(one.why)];
      return `| ${cells.join(' | ')} |`;
    });
  const head = '| scenario | received | replayed | lost | time | |\n|---|---|---|---|---|---|';
  const table = `${head}\n${rows.join('\n')}`;
  const hasFailed = scenarios.some(({ verdict }) => verdict === 'fail');
  return hasFailed ? table : details('All scenarios', table);
}

const details = (summary: string, text: string): string =>
  `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;

/** A server's words must not become markup, a row of the table or a link. */
const inline = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~@]/g, (sign) => `\\${sign}`);

/** Between more backticks than the text has. */
function code(text: string): string {
  const fence = fenceFor(text, 1);
  const flat = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  return fence.length > 1 ? `${fence} ${flat} ${fence}` : `${fence}${flat}${fence}`;
}

function block(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}
