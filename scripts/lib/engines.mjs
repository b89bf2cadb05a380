// In which engines beside Chromium the tests can be run on this machine, and how.
import { findOtherBrowser, hasWebkitGtk } from './otherBrowsers.mjs';
import { commandOf } from './paths.mjs';

/** @typedef {import('./gates.mjs').Gate} Gate */

/**
 * @typedef {object} Engine
 * @property {string} title
 * @property {string} says what was found, or what to install
 * @property {Gate} [gate] how its tests are run, if it was found
 * @property {Record<string, string>} [env]
 */

/** @returns {Promise<readonly Engine[]>} */
export async function findEngines() {
  return [await findFirefoxEngine(), await findWebkitEngine()];
}

/** @returns {Promise<Engine>} */
async function findFirefoxEngine() {
  const found = await findOtherBrowser('firefox');
  const title = 'Firefox';
  if (found.kind === 'none') return { title, says: 'not found. Install it: npx playwright install firefox' };
  if (found.kind === 'playwright') return { title, says: "Playwright's own", ...specsIn('firefox') };
  // The Playwright of the other tests sends a command that the Firefox of Debian doesn't have.
  const older = ['playwright-esr', '--tsconfig', 'e2e/engines/esr.tsconfig.json'];
  return { title, says: `${found.path} (system)`, ...specsIn('firefox', older) };
}

/** @returns {Promise<Engine>} */
async function findWebkitEngine() {
  const title = 'WebKit';
  const found = await findOtherBrowser('webkit');
  if (found.kind === 'playwright') return { title, says: "Playwright's own", ...specsIn('webkit') };
  if (!(await hasWebkitGtk())) {
    const debian = 'apt-get install python3-gi gir1.2-webkit2-4.1 xvfb';
    return { title, says: `not found. Install it: npx playwright install webkit, or ${debian}` };
  }
  return {
    title,
    says: 'WebKitGTK (system)',
    // Playwright drives no other WebKit than its own: what the specs do is told as stories there.
    gate: {
      name: 'webkit',
      tool: 'stories',
      command: () => [
        commandOf('tsx'),
        'e2e/engines/run.ts',
        ...['--only', 'webkit', '--quick', '--workers', '3'],
      ],
    },
  };
}

/**
 * @param {'firefox' | 'webkit'} name
 * @param {readonly string[]} runner the package of the test runner, and its options
 * @returns {Required<Pick<Engine, 'gate' | 'env'>>}
 */
function specsIn(name, [runner = '@playwright/test', ...options] = []) {
  return {
    gate: {
      name,
      tool: 'playwright',
      command: () => [commandOf(runner, 'playwright'), 'test', ...options],
      counts: 'playwright',
    },
    env: { REPRISE_ENGINE: name, REPRISE_RESULTS: `npm-test-${name}` },
  };
}
