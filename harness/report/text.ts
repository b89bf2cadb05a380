/** The report as text: the verdict, each problem with its evidence and its fix, and the sum. Pure. */
import { bytes, plural, duration } from '../../src/base/format.ts';
import { costInWords, sumOfCosts, timeOf, untestedIn } from '../judge/reloadCost.ts';
import { breaches } from '../judge/terms.ts';
import { OUTCOME_WORDS } from '../judge/outcome.ts';
import type { Exchange, ReloadCost, Report, ScenarioResult } from './facts.ts';
import { evidenceOf, problemsIn, sumOf, type Problem } from './problems.ts';

export function describe(report: Report): string {
  if (report.scenarios.length === 0 && report.incomplete !== undefined) return report.incomplete;
  const { incomplete, withoutCors, reloadCosts = [] } = report;
  const problems = problemsIn(report);
  const remarks = [...new Set(report.scenarios.flatMap(({ remarks: found = [] }) => found))];
  return [
    summarize(report),
    ...problems.flatMap((problem) => ['', explain(problem)]),
    ...(reloadCosts.length > 0 ? ['', drawCosts(reloadCosts)] : []),
    ...describeNotes(report),
    ...(remarks.length > 0 ? ['', ...remarks.map((text) => `Note: ${text}`)] : []),
    '',
    ...describeBridge(report),
    ...(withoutCors === true ? ['Tested without CORS enforcement (--allow-no-cors).'] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
    // Failures are told above; this is what only the terms of the run add.
    ...breaches(report).filter((text) => !text.endsWith(' failed.')),
    ...expectedIn(report),
    [
      sumOf(report.scenarios)
        .map((part) => part.join(' '))
        .join(', '),
      duration(report.durationMs),
      ...browserIn(report),
    ].join(' · '),
  ].join('\n');
}

/** "Firefox 153.7.0", or nothing where the report doesn't say it. */
export const browserIn = ({ browser }: Report): readonly string[] =>
  browser ? [`${browser.name} ${browser.version}`] : [];

/** For the author of the server: none of it is a failure. */
function describeNotes({ toolList, notes = [] }: Report): readonly string[] {
  if (!toolList) return [];
  const { tools, bytes: size, estimatedTokens } = toolList;
  return [
    '',
    `Tool list: ${plural(tools, 'tool')}, ${bytes(size)}, about ${plural(estimatedTokens, 'token')}.`,
    ...notes.map(({ text, sources }) => `  Advice: ${text}${sources ? ` [${sources.join(', ')}]` : ''}`),
  ];
}

/** What of it is the server's, and what the bridge gives. */
function describeBridge({ bridge, scenarios }: Report): readonly string[] {
  if (!bridge) return [];
  const list = (isOwn: boolean): string =>
    scenarios
      .filter(
        ({ name, verdict }) => bridge.ownScenarios.includes(name) === isOwn && verdict !== 'unsupported',
      )
      .map(({ name, verdict }) => `${name} ${verdict === 'fail' ? 'FAIL' : verdict}`)
      .join(', ') || 'nothing';
  return [`Provided by the server: ${list(true)}.`, `Provided by the bridge: ${list(false)}.`];
}

/** In one line: "LOSES CALLS (outcome D: the session came back, …)". */
export function summarize(report: Report): string {
  const [, grade = '', extent] = /^(.*?)(?: \((.*)\))?$/.exec(report.grade) ?? [];
  const sum = `${grade.toUpperCase()}${extent === undefined ? '' : `, ${extent}`} (${explainOutcome(report)})`;
  return report.bridge ? `${sum}, ${report.bridge.note}` : sum;
}

/** The letter in words, or why there is none. */
export function explainOutcome({ outcome, scenarios, grade, reloadCosts = [], callsFile }: Report): string {
  if (callsFile !== undefined) return `the calls of ${callsFile}`;
  const costs = reloadCosts.length > 0 ? `. ${sumOfCosts(reloadCosts).replace(/\.$/, '')}` : '';
  if (outcome !== null) return `outcome ${outcome}: ${OUTCOME_WORDS[outcome]}${costs}`;
  if (grade.startsWith('loses messages'))
    return "no outcome: the result was delivered, but missed messages weren't";
  const isTried = scenarios.some(({ returned }) => returned);
  return isTried
    ? 'no outcome: no events were missed while the page was closed'
    : 'no outcome: no interrupted call could be tested';
}

/** "SHOULD, 2025-11-25, …": how binding a failure is, and where that is said. */
export function describeLevel({ level, clause }: Pick<ScenarioResult, 'level' | 'clause'>): string {
  if (level === undefined) return '';
  const name = level === 'advice' ? 'advice' : level.toUpperCase();
  return `${name}${clause === undefined ? '' : `, ${clause}`}`;
}

const SHOWN_AT_ONCE = 3;

function explain({ title, shown, others, hidden, snippets, command }: Problem): string {
  const level = describeLevel(shown);
  const found = [shown, ...others];
  const width = Math.max(...found.map(({ name }) => name.length)) + 2;
  const [snippet, ...more] = snippets;
  return [
    `✗ ${title}${level === '' ? '' : `   [${level}]`}`,
    ...found.map((one) => `    ${one.name.padEnd(width)}${evidenceOf(one)}`),
    ...(hidden.length > 0 ? [`    Not testable because of it: ${listed(hidden)}`] : []),
    ...(shown.exchange ? [indent(describeExchange(shown.exchange))] : []),
    ...(shown.fix === undefined ? [] : [`  Fix: ${shown.fix}`]),
    ...(snippet ? [`    ${snippet.sdk}:`, indent(snippet.code)] : []),
    ...(more.length > 0
      ? [`    For ${more.map(({ sdk }) => sdk).join(' and ')}, see the HTML report (--html).`]
      : []),
    `  Test again: ${command}`,
  ].join('\n');
}

function listed(names: readonly string[]): string {
  const rest = names.length - SHOWN_AT_ONCE;
  return rest <= 1 ? names.join(', ') : `${names.slice(0, SHOWN_AT_ONCE).join(', ')} and ${rest} more`;
}

function drawCosts(costs: readonly ReloadCost[]): string {
  const tested = costs.filter(({ cost }) => cost !== 'not-tested');
  const width = Math.max(0, ...tested.map(({ tool }) => tool.length)) + 2;
  const lines = tested.map((cost) => `    ${cost.tool.padEnd(width)}${costInWords(cost)}${detailOf(cost)}`);
  const untested = untestedIn(costs).map(({ why, tools }) => `    Not tested: ${listed(tools)}. ${why}`);
  const advice = costs.flatMap((cost) => (cost.advice === undefined ? [] : [`  Advice: ${cost.advice}`]));
  return ['Calls that a reload cancels:', ...lines, ...untested, ...advice].join('\n');
}

export function detailOf(cost: ReloadCost): string {
  return cost.durationMs === undefined ? '' : ` (${timeOf(cost)})`;
}

function expectedIn({ scenarios, terms }: Report): string[] {
  const names = scenarios
    .filter(({ name, verdict }) => verdict === 'fail' && terms?.expectedFailures?.includes(name))
    .map(({ name }) => name);
  return names.length > 0 ? [`Expected to fail (--expected-failures): ${names.join(', ')}.`] : [];
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
