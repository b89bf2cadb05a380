// The failed tests of a JSON report, by name, with the beginning of each error.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ title: string, error: string }} Failure */

/** An error's first lines say what was expected; the rest is in the runner's output. */
const ERROR_LINES = 6;

/**
 * @param {'vitest' | 'playwright'} runner
 * @param {string | undefined} report
 * @returns {Failure[]}
 */
export function listFailures(runner, report) {
  if (report === undefined) return [];
  try {
    const parsed = /** @type {unknown} */ (JSON.parse(report));
    return runner === 'vitest'
      ? ofVitest(/** @type {VitestReport} */ (parsed))
      : ofPlaywright(/** @type {Suite} */ (parsed));
  } catch {
    return [];
  }
}

/**
 * @typedef {object} VitestReport
 * @property {{ name: string, message?: string, status: string,
 *   assertionResults: { fullName: string, status: string, failureMessages?: string[] }[] }[]} testResults
 */

/**
 * @param {VitestReport} report
 * @returns {Failure[]}
 */
function ofVitest({ testResults }) {
  return testResults.flatMap(({ name: file, message, status, assertionResults }) => {
    const name = relative(process.cwd(), file);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [failure(name, message)];
    return failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages?.[0]));
  });
}

/** @typedef {{ message?: string, location?: { file: string, line: number } }} PlaywrightError */

/**
 * @typedef {object} Suite
 * @property {Suite[]} [suites]
 * @property {{ title: string, file: string, line: number, ok: boolean,
 *   tests: { results: { errors?: PlaywrightError[] }[] }[] }[]} [specs]
 * @property {{ message?: string }[]} [errors] errors outside of any test
 */

/**
 * @param {Suite} suite
 * @returns {Failure[]}
 */
function ofPlaywright({ suites = [], specs = [], errors = [] }) {
  return [
    ...errors.map(({ message }) => failure('outside of any test', message)),
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, line, title, tests }) => {
        const found = tests.flatMap(({ results }) => results).flatMap((result) => result.errors ?? []);
        return failure(`${file}:${line} › ${title}`, ...found.map(withPlace));
      }),
    ...suites.flatMap(ofPlaywright),
  ];
}

/**
 * A test that ran out of time has two errors: that it did, and what it was waiting for.
 * @param {PlaywrightError} error
 * @returns {string}
 */
const withPlace = ({ message = '', location }) =>
  location ? `${relative(process.cwd(), location.file)}:${location.line}: ${message}` : message;

/**
 * @param {string} title
 * @param {(string | undefined)[]} messages
 * @returns {Failure}
 */
const failure = (title, ...messages) => ({
  title,
  error: messages.map((message = '') => firstLines(message)).join('\n'),
});

/** @param {string} message */
const firstLines = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, ERROR_LINES)
    .join('\n');
