/** The facts as JUnit XML: a suite for each server, a case for each scenario. Pure. */
import type { Report, ScenarioResult } from './facts.ts';
import { joined, markup, type Markup } from './markup.ts';
import { browserIn, describeExchange } from './text.ts';

export function drawJunit(reports: readonly Report[]): string {
  const sums = reports.map(countsOf);
  const total = (pick: (counts: Counts) => number): number => sums.reduce((sum, one) => sum + pick(one), 0);
  const totals = write({
    name: 'mcp-reprise',
    tests: total(({ tests }) => tests),
    failures: total(({ failures }) => failures),
    errors: total(({ errors }) => errors),
    skipped: total(({ skipped }) => skipped),
    time: (reports.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3),
  });
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites${totals}>
${joined(reports.map(drawSuite), '\n')}
</testsuites>
`.text;
}

type Counts = Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>>;

/** A run that ended before its time has a case of its own, so that no viewer shows it in green. */
function countsOf({ scenarios, incomplete }: Report): Counts {
  const counted = (verdicts: readonly string[]): number =>
    scenarios.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const errors = incomplete === undefined ? 0 : 1;
  return {
    tests: scenarios.length + errors,
    failures: counted(['fail']),
    errors,
    skipped: counted(['unsupported', 'skipped']),
  };
}

function drawSuite(report: Report): Markup {
  const { scenarios, target, server, startedAt, durationMs, outcome, grade, incomplete, bridge } = report;
  const attributes = write({
    name: `${server.name} ${server.version}`.trim(),
    hostname: URL.canParse(target) ? new URL(target).host : target,
    timestamp: startedAt,
    time: (durationMs / 1000).toFixed(3),
    ...countsOf(report),
  });
  const ended = incomplete === undefined ? undefined : drawError(incomplete, target);
  return markup`  <testsuite${attributes}>
    <properties>
      <property${write({ name: 'outcome', value: outcome ?? '' })}/>
      <property${write({ name: 'grade', value: grade })}/>${
        bridge &&
        markup`
      <property${write({ name: 'bridge', value: bridge.note })}/>`
      }${browserIn(report).map(
        (value) => markup`
      <property${write({ name: 'browser', value })}/>`,
      )}
    </properties>
${scenarios.map((scenario) => markup`${drawCase(scenario, target)}\n`)}${ended}  </testsuite>`;
}

function drawError(why: string, target: string): Markup {
  const head = write({ classname: target, name: 'run', time: '0.000' });
  return markup`    <testcase${head}><error${write({ message: why, type: 'incomplete' })}/></testcase>\n`;
}

function drawCase(
  { name, verdict, why, fix, exchange, level = 'must', durationMs = 0 }: ScenarioResult,
  target: string,
): Markup {
  const head = markup`    <testcase${write({ classname: target, name, time: (durationMs / 1000).toFixed(3) })}`;
  if (verdict === 'pass') return markup`${head}/>`;
  if (verdict !== 'fail') {
    return markup`${head}><skipped${write({ message: `${verdict}: ${why}` })}/></testcase>`;
  }
  const details = [exchange && describeExchange(exchange), fix && `Fix: ${fix}`].filter(Boolean).join('\n\n');
  return markup`${head}><failure${write({ message: why, type: level })}>${details}</failure></testcase>`;
}

/** @param attributes with names from here */
function write(attributes: Readonly<Record<string, string | number>>): Markup {
  return joined(Object.entries(attributes).map(([name, value]) => markup` ${name}="${value}"`));
}
