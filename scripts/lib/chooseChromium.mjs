/**
 * @typedef {object} Found
 * @property {{ path: string, runs: boolean } | undefined} asked the value of REPRISE_CHROMIUM
 * @property {string | undefined} playwright Playwright's own, if it runs
 * @property {string | undefined} installed a Chrome or Chromium of the system, if one runs
 * @property {boolean} canApt this is Debian, as root
 */

/** @typedef {'playwright' | 'apt'} Installer */

/**
 * @typedef {object} Attempt
 * @property {Installer} by
 * @property {string | undefined} failure what the installer said last, if it failed
 */

/**
 * @typedef {(
 *   | { kind: 'use', path: string, says: string }
 *   | { kind: 'install', by: Installer }
 *   | { kind: 'none', says: string }
 * )} Choice
 */

/**
 * The order: the one that was asked for; Playwright's own; an installed one; `playwright install`; apt-get.
 *
 * @param {Found} found
 * @param {readonly Attempt[]} attempts installs that were tried already
 * @param {{ mayInstall: boolean }} options
 * @returns {Choice}
 */
export function chooseChromium(found, attempts, { mayInstall }) {
  if (found.asked) {
    const { path, runs } = found.asked;
    if (runs) return { kind: 'use', path, says: `${path} (REPRISE_CHROMIUM)` };
    return {
      kind: 'none',
      says: `${path} (REPRISE_CHROMIUM) doesn't run. Set another path, or unset it to detect a browser.`,
    };
  }
  if (found.playwright)
    return { kind: 'use', path: found.playwright, says: `${found.playwright} (Playwright)` };
  if (found.installed) return { kind: 'use', path: found.installed, says: `${found.installed} (system)` };

  const tried = (/** @type {Installer} */ by) => attempts.some((attempt) => attempt.by === by);
  if (mayInstall && !tried('playwright')) return { kind: 'install', by: 'playwright' };
  if (mayInstall && found.canApt && !tried('apt')) return { kind: 'install', by: 'apt' };

  const failures = attempts.map(
    ({ by, failure }) => `${COMMANDS[by]}: ${failure ?? "installed, but doesn't run"}.`,
  );
  return {
    kind: 'none',
    says: [
      'Chromium not found. The browser tests need it.',
      ...failures,
      'Install Chrome or Chromium, or set its path: REPRISE_CHROMIUM=/path/to/chrome npm test',
    ].join('\n'),
  };
}

const COMMANDS = { playwright: '`playwright install chromium`', apt: '`apt-get install chromium`' };

/**
 * The line of an installer's output that says why it failed, among its stack traces and tries.
 *
 * @param {string} output
 */
export function reasonIn(output) {
  const lines = output.trim().split('\n');
  return lines.find((line) => /^(Error|E): /.test(line)) ?? lines.at(-1) ?? '';
}
