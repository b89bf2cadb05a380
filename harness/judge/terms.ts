/** On which terms a run succeeds: what counts as a failure, what is expected to fail, what is required. Pure. */
import type { Report, ScenarioResult } from '../report/facts.ts';
import { failsAt } from './levels.ts';

type Judged = Pick<Report, 'outcome' | 'grade' | 'scenarios' | 'terms'>;

/** Why a run is no success, in sentences; none if it is one. */
export function breaches({ outcome, grade, scenarios, terms = {} }: Judged): readonly string[] {
  const { failOn = 'must', expectedFailures = [], require } = terms;
  const isExpected = ({ name }: ScenarioResult): boolean => expectedFailures.includes(name);
  const failed = scenarios.filter((result) => failsAt(result, failOn) && !isExpected(result));
  const stale = scenarios.filter((result) => result.verdict === 'pass' && isExpected(result));
  const isMet = require === undefined || require === outcome || require === grade;
  return [
    ...failed.map(({ name }) => `${name} failed.`),
    ...stale.map(({ name }) => `${name} passes now. Remove it from --expected-failures.`),
    ...(isMet ? [] : [`${require} is required (--require). Outcome: ${outcome ?? 'none'}, grade: ${grade}.`]),
  ];
}

/** One scenario in a line, with a comment after #; or a JSON array. */
export function parseExpectedFailures(text: string): readonly string[] {
  if (text.trimStart().startsWith('[')) {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  }
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
}
