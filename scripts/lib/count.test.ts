import { describe, expect, test } from 'vitest';
import { countTests, format, sum } from './count.mjs';

const vitest = (report: object) =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    ...report,
  });
const playwright = (stats: object, errors: unknown[] = []) =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors });

describe('vitest', () => {
  test('counts its tests', () => {
    const report = vitest({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 });
    expect(countTests('vitest', report, 1)).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  test('counts a file that could not be loaded as a failure', () => {
    const report = vitest({
      numPassedTests: 5,
      numFailedTests: 2,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'passed', assertionResults: [{ status: 'passed' }] },
      ],
    });
    expect(countTests('vitest', report, 1)).toEqual({ passed: 5, failed: 3, skipped: 0 });
  });

  test('does not count a file twice whose tests have failed', () => {
    const report = vitest({
      numFailedTests: 1,
      testResults: [{ status: 'failed', assertionResults: [{ status: 'failed' }] }],
    });
    expect(countTests('vitest', report, 1).failed).toBe(1);
  });
});

describe('playwright', () => {
  test('counts its tests', () => {
    expect(countTests('playwright', playwright({ expected: 7, unexpected: 2, skipped: 1 }), 1)).toEqual({
      passed: 7,
      failed: 2,
      skipped: 1,
    });
  });

  test('counts errors outside of any test', () => {
    const report = playwright({ expected: 7, unexpected: 1 }, [{ message: 'time is up' }]);
    expect(countTests('playwright', report, 1)).toEqual({ passed: 7, failed: 2, skipped: 0 });
  });
});

describe('a runner that failed in silence counts as a failure', () => {
  test('when it left no report', () => {
    expect(countTests('vitest', undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('when its report is cut off', () => {
    expect(countTests('playwright', '{"stats":', 0).failed).toBe(1);
  });

  test('when it exits with an error although no test failed', () => {
    expect(countTests('playwright', playwright({ expected: 7 }), 1)).toEqual({
      passed: 7,
      failed: 1,
      skipped: 0,
    });
  });

  test('when it ran no test at all', () => {
    expect(countTests('vitest', vitest({}), 0).failed).toBe(1);
  });
});

test('the closing line names skipped tests only if there are some', () => {
  const counts = [
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 2, failed: 1, skipped: 0 },
  ];
  expect(format(sum(counts))).toBe('3 passed, 1 failed');
  expect(format({ passed: 3, failed: 0, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped');
});
