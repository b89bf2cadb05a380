/** Findings with one cause are one problem: what it is, who found it, what it hides, and how to test it again. Pure. */
import { plural } from '../../src/base/format.ts';
import { rankOf } from '../judge/causes.ts';
import type { Report, ScenarioResult } from './facts.ts';
import { shellQuote } from './shellQuote.ts';
import { snippetsFor, type Snippet } from './snippets.ts';

export interface Problem {
  /** In one sentence. */
  readonly title: string;
  /** The finding that shows it best, and those that found the same. */
  readonly shown: ScenarioResult;
  readonly others: readonly ScenarioResult[];
  /** Scenarios that could not be run because of it. */
  readonly hidden: readonly string[];
  readonly snippets: readonly Snippet[];
  /** For a shell. */
  readonly command: string;
}

const LEVELS = ['must', 'should', 'advice'];

export function problemsIn(report: Report): readonly Problem[] {
  const groups = new Map<string, ScenarioResult[]>();
  for (const result of report.scenarios.filter(({ verdict }) => verdict === 'fail')) {
    const key = result.cause ?? result.fix ?? result.why;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()]
    .flatMap((results) => problemOf(results, report))
    .sort((a, b) => severityOf(a) - severityOf(b));
}

/** What loses calls is told before what breaks a rule. */
function severityOf({ shown: { returned, level = 'must' } }: Problem): number {
  return returned && !returned.resultDelivered ? -1 : LEVELS.indexOf(level);
}

function problemOf([shown, ...others]: readonly ScenarioResult[], report: Report): Problem[] {
  if (!shown) return [];
  const { cause } = shown;
  const hidden = report.scenarios.filter((one) => one.verdict === 'unsupported' && one.cause === cause);
  return [
    {
      title: (cause === undefined ? undefined : rankOf(cause).title) ?? shown.why,
      shown,
      others,
      hidden: cause === undefined ? [] : hidden.map(({ name }) => name),
      snippets: snippetsFor(cause),
      command: commandFor(
        report,
        [shown, ...others].map(({ name }) => name),
      ),
    },
  ];
}

/** Runs the same again: the same tool, arguments and seed; `scenarios`: only these. */
export function commandFor(
  { target, tool, revision, browser, withoutCors, expectError, seed, callsFile, snapshotFile }: Report,
  scenarios: readonly string[] = [],
): string {
  const words = [
    target,
    ...(tool ? ['--tool', tool.name, '--args', JSON.stringify(tool.args)] : []),
    ...(expectError === true ? ['--expect-error'] : []),
    ...(revision === undefined ? [] : ['--revision', revision]),
    ...(browser && browser.name !== 'Chromium' ? ['--browser', browser.name.toLowerCase()] : []),
    ...(withoutCors === true ? ['--allow-no-cors'] : []),
    ...(seed === 1 ? [] : ['--seed', String(seed)]),
    ...(callsFile === undefined ? [] : ['--calls', callsFile]),
    ...(snapshotFile === undefined ? [] : ['--snapshot', snapshotFile]),
    ...(scenarios.length === 0 || callsFile !== undefined ? [] : ['--scenario', scenarios.join(',')]),
  ];
  return `npx mcp-reprise verify ${words.map(shellQuote).join(' ')}`;
}

/** What one scenario saw of a problem: "14 of 25 messages received, 11 lost, result not delivered". */
export function evidenceOf({ why, received, control, lost = 0, resultDelivered }: ScenarioResult): string {
  const isLoss = lost > 0 || resultDelivered === false;
  if (!isLoss || received === undefined || control === undefined) return why;
  return [
    `${received} of ${plural(control, 'message')} received`,
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(resultDelivered === false ? ['result not delivered'] : []),
  ].join(', ');
}

/** Why a scenario has no verdict: because of a problem, or because the server doesn't offer what it needs. */
function isHidden({ verdict, cause }: ScenarioResult): boolean {
  return verdict === 'skipped' || (verdict === 'unsupported' && cause !== undefined);
}

/** "2 failed, 4 passed, 12 not testable, 4 not offered" */
export function sumOf(scenarios: readonly ScenarioResult[]): readonly (readonly [number, Tally])[] {
  const tally = (one: ScenarioResult): Tally =>
    one.verdict === 'fail'
      ? 'failed'
      : one.verdict === 'pass'
        ? 'passed'
        : isHidden(one)
          ? 'not testable'
          : 'not offered';
  return (['failed', 'passed', 'not testable', 'not offered'] as const)
    .map((name) => [scenarios.filter((one) => tally(one) === name).length, name] as const)
    .filter(([number]) => number > 0);
}

export type Tally = 'failed' | 'passed' | 'not testable' | 'not offered';
