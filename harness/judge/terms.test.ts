import { describe, expect, it } from 'vitest';
import type { Report, ScenarioResult, Verdict } from '../report/facts.ts';
import { breaches, parseExpectedFailures } from './terms.ts';

const result = (name: string, verdict: Verdict): ScenarioResult => ({ name, verdict, why: '' });

function judge(terms: Report['terms'], ...scenarios: ScenarioResult[]): readonly string[] {
  const judged = { outcome: 'A', grade: 'resumes, with issues', scenarios } as const;
  return breaches({ ...judged, ...(terms && { terms }) });
}

describe('breaches', () => {
  it('has none for an expected failure, and one for an expected failure that passes', () => {
    const terms = { expectedFailures: ['ended-session'] };
    expect(judge(undefined, result('ended-session', 'fail'))).toEqual(['ended-session failed.']);
    expect(judge(terms, result('ended-session', 'fail'))).toEqual([]);
    expect(judge(terms, result('ended-session', 'pass'))).toEqual([
      'ended-session passes now. Remove it from --expected-failures.',
    ]);
    expect(judge(terms, result('ended-session', 'skipped'))).toEqual([]);
  });

  it('asks for the outcome or the grade that is required', () => {
    expect(judge({ require: 'A' }, result('control', 'pass'))).toEqual([]);
    expect(judge({ require: 'reload-safe' }, result('control', 'pass'))).toEqual([
      'reload-safe is required (--require). Outcome: A, grade: resumes, with issues.',
    ]);
  });
});

describe('parseExpectedFailures', () => {
  it('reads lines with comments, or JSON', () => {
    expect(parseExpectedFailures('# known\nended-session # SDK\n\ntab-crash\n')).toEqual([
      'ended-session',
      'tab-crash',
    ]);
    expect(parseExpectedFailures(' ["cors"]')).toEqual(['cors']);
  });
});
