/** The facts as JUnit XML: a suite for each server, a case for each scenario. Pure. */
import type { Report, ScenarioResult } from './facts.ts';
import { joined, markup, type Markup } from './markup.ts';
import { describeExchange } from './table.ts';

export function drawJunit(reports: readonly Report[]): string {
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="mcp-reprise">
${joined(reports.map(drawSuite), '\n')}
</testsuites>
`.text;
}

function drawSuite(report: Report): Markup {
  const { scenarios, target, server, startedAt, durationMs, outcome, grade } = report;
  const counted = (verdicts: readonly string[]): number =>
    scenarios.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const attributes = write({
    name: `${server.name} ${server.version}`,
    hostname: target,
    timestamp: startedAt,
    time: (durationMs / 1000).toFixed(3),
    tests: scenarios.length,
    failures: counted(['fail']),
    skipped: counted(['unsupported', 'skipped']),
  });
  return markup`  <testsuite${attributes}>
    <properties>
      <property${write({ name: 'outcome', value: outcome ?? '' })}/>
      <property${write({ name: 'grade', value: grade })}/>
    </properties>
${scenarios.map((scenario) => markup`${drawCase(scenario, target)}\n`)}  </testsuite>`;
}

function drawCase(
  { name, verdict, why, fix, exchange, durationMs = 0 }: ScenarioResult,
  target: string,
): Markup {
  const head = markup`    <testcase${write({ classname: target, name, time: (durationMs / 1000).toFixed(3) })}`;
  if (verdict === 'pass') return markup`${head}/>`;
  if (verdict !== 'fail') {
    return markup`${head}><skipped${write({ message: `${verdict}: ${why}` })}/></testcase>`;
  }
  const details = [exchange && describeExchange(exchange), fix && `To change: ${fix}`]
    .filter(Boolean)
    .join('\n\n');
  return markup`${head}><failure${write({ message: why })}>${details}</failure></testcase>`;
}

/** @param attributes with names from here */
function write(attributes: Readonly<Record<string, string | number>>): Markup {
  return joined(Object.entries(attributes).map(([name, value]) => markup` ${name}="${value}"`));
}
