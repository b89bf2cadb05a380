/** The report on a page as JUnit XML: a suite for each test server. Pure. */
import type { Report, ScenarioResult } from '../report/facts.ts';
import { drawJunit } from '../report/junit.ts';
import type { PageReport, PageResult } from './facts.ts';

export function drawPageJunit(report: PageReport): string {
  const targets = [...new Set(report.results.map(({ target }) => target))];
  return drawJunit(targets.map((target) => suiteOf(report, target)));
}

function suiteOf(
  { schemaVersion, page, grade, browser, startedAt, seed, reprise, results }: PageReport,
  target: string,
): Report {
  const [name = '', version = ''] = browser.split(' ');
  const own = results.filter((one) => one.target === target);
  return {
    schemaVersion,
    target: page,
    server: { name: target, version: '' },
    protocolVersion: '',
    outcome: null,
    grade,
    scenarios: own.map(caseOfResult),
    browser: { name, version },
    startedAt,
    durationMs: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
    seed,
    reprise,
  };
}

function caseOfResult({
  target,
  name,
  verdict,
  letter,
  why,
  findings,
  durationMs,
}: PageResult): ScenarioResult {
  const [finding] = findings;
  return {
    name: `${target}/${name}`,
    verdict,
    why: `${letter ?? '–'}: ${why}`,
    durationMs,
    ...(finding && { level: finding.level, fix: finding.fix }),
  };
}
