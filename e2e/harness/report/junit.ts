/** The facts as JUnit XML: a suite for each server, a case for each scenario. Pure. */
import type { Report, ScenarioResult } from './facts.ts';
import { describeExchange } from './table.ts';

export function drawJunit(reports: readonly Report[]): string {
  const suites = reports.map(drawSuite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="mcp-reprise">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function drawSuite(report: Report): string {
  const { scenarios, target, server, startedAt, durationMs, outcome, grade } = report;
  const counted = (verdicts: readonly string[]): number =>
    scenarios.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const attributes = {
    name: `${server.name} ${server.version}`,
    hostname: target,
    timestamp: startedAt,
    time: (durationMs / 1000).toFixed(3),
    tests: scenarios.length,
    failures: counted(['fail']),
    skipped: counted(['unsupported', 'skipped']),
  };
  return [
    `  <testsuite${write(attributes)}>`,
    '    <properties>',
    `      <property${write({ name: 'outcome', value: outcome ?? '' })}/>`,
    `      <property${write({ name: 'grade', value: grade })}/>`,
    '    </properties>',
    ...scenarios.map((scenario) => drawCase(scenario, target)),
    '  </testsuite>',
  ].join('\n');
}

function drawCase(
  { name, verdict, why, fix, exchange, durationMs = 0 }: ScenarioResult,
  target: string,
): string {
  const head = `    <testcase${write({ classname: target, name, time: (durationMs / 1000).toFixed(3) })}`;
  if (verdict === 'pass') return `${head}/>`;
  if (verdict !== 'fail') return `${head}><skipped${write({ message: `${verdict}: ${why}` })}/></testcase>`;
  const details = [exchange && describeExchange(exchange), fix && `To change: ${fix}`]
    .filter(Boolean)
    .join('\n\n');
  return `${head}><failure${write({ message: why })}>${escapeXml(details)}</failure></testcase>`;
}

function write(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

export function escapeXml(text: string): string {
  return (
    text
      // XML 1.0 has no place for control characters, not even escaped.
      // eslint-disable-next-line no-control-regex -- they are what is meant
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
