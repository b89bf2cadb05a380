/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/** @type {Count} */
export const NONE = { passed: 0, failed: 0, skipped: 0 };
/** @type {Count} */
export const ONE_PASSED = { passed: 1, failed: 0, skipped: 0 };
/** @type {Count} */
export const ONE_FAILED = { passed: 0, failed: 1, skipped: 0 };

/**
 * @param {readonly Count[]} counts
 * @returns {Count}
 */
export const sum = (counts) =>
  counts.reduce(
    (all, one) => ({
      passed: all.passed + one.passed,
      failed: all.failed + one.failed,
      skipped: all.skipped + one.skipped,
    }),
    NONE,
  );

/** @param {Count} count */
export const format = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * Counts the tests of a JSON report. A runner that failed without a failed test to show for it (a crash, an error
 * outside of any test, a report that is missing) counts as one failure, so that it can never look like success.
 *
 * @param {'vitest' | 'playwright'} runner
 * @param {string | undefined} report
 * @param {number} exitCode
 * @returns {Count}
 */
export function countTests(runner, report, exitCode) {
  const count = read(runner, report);
  if (!count) return ONE_FAILED;
  const silent = count.failed === 0 && (exitCode !== 0 || count.passed === 0);
  return silent ? { ...count, failed: 1 } : count;
}

/**
 * @param {'vitest' | 'playwright'} runner
 * @param {string | undefined} report
 * @returns {Count | undefined}
 */
function read(runner, report) {
  if (report === undefined) return undefined;
  try {
    return runner === 'vitest'
      ? readVitest(/** @type {VitestReport} */ (JSON.parse(report)))
      : readPlaywright(/** @type {PlaywrightReport} */ (JSON.parse(report)));
  } catch {
    return undefined;
  }
}

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/** @param {VitestReport} report */
function readVitest(report) {
  // A file that could not be loaded has failed without any test of its own.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {unknown[]} [errors] errors outside of any test
 */

/** @param {PlaywrightReport} report */
function readPlaywright({ stats, errors = [] }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}
