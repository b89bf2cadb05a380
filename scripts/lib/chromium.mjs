// Which Chromium the browser tests run in. Looking and installing happen here; the order is in chooseChromium.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { chooseChromium, reasonIn } from './chooseChromium.mjs';
import { commandOf } from './paths.mjs';
import { run, runNode } from './run.mjs';

/** Without these, Chromium calls home at each start: slow, and of no use to a test. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * An installed Chrome opens two hidden pages of its own for each window, the popups of its address bar; they cost more
 * than the page under test. A second list of features replaces the first, so Playwright's own names stand here too.
 */
const FEATURES_OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  // Each context would start a process for a page to come, and most tests have one page.
  'SpareRendererForSitePerProcess',
];

const isRoot = process.getuid?.() === 0;

/** Chromium refuses to run its sandbox as root. */
export const chromiumArgs = [
  ...QUIET,
  `--disable-features=${FEATURES_OFF.join(',')}`,
  ...(isRoot ? ['--no-sandbox'] : []),
];

/** Where Playwright would put its own; it may not be there. */
async function playwrightPath() {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

/** Where Chrome and Chromium are found on this system, whether or not they are there. */
function usualPlaces() {
  const { env, platform } = process;
  if (platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium'].map((name) => `${name}.app/Contents/MacOS/${name}`);
    return ['/Applications', join(homedir(), 'Applications')].flatMap((at) =>
      apps.map((app) => join(at, app)),
    );
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA];
    const apps = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe'];
    return folders.flatMap((at) => (at === undefined ? [] : apps.map((app) => join(at, app))));
  }
  return inPath(['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome']);
}

function inPath(/** @type {readonly string[]} */ names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** Playwright puts its headless shell beside its Chromium, and names the path of the latter alone. */
async function shellPlaces() {
  const [, cache, revision] = /^(.*[\\/])chromium-(\d+)[\\/]/.exec(await playwrightPath()) ?? [];
  const folder = cache === undefined ? '' : `${cache}chromium_headless_shell-${revision ?? ''}`;
  const name = process.platform === 'win32' ? 'chrome-headless-shell.exe' : 'chrome-headless-shell';
  const own = existsSync(folder) ? readdirSync(folder).map((platform) => join(folder, platform, name)) : [];
  return [...own, ...inPath(['chromium-headless-shell', 'chrome-headless-shell'])];
}

/** A browser that lacks a system library exists and does not run. */
async function runs(/** @type {string} */ path) {
  if (!existsSync(path)) return false;
  // On Windows, asking for the version would open a window.
  if (process.platform === 'win32') return true;
  return (await run(path, ['--version'], { timeoutMs: 20_000 })).code === 0;
}

/**
 * @param {readonly string[]} paths
 * @returns {Promise<string | undefined>}
 */
async function firstThatRuns(paths) {
  for (const path of paths) if (await runs(path)) return path;
  return undefined;
}

function isDebian() {
  try {
    const release = readFileSync('/etc/os-release', 'utf8');
    // Ubuntu's package of this name only points to a snap.
    return /^ID(_LIKE)?=.*debian/m.test(release) && !/^ID=.*ubuntu/m.test(release);
  } catch {
    return false;
  }
}

/** @returns {Promise<import('./chooseChromium.mjs').Found>} */
async function lookAround() {
  const asked = process.env.REPRISE_CHROMIUM;
  return {
    asked: asked ? { path: asked, runs: await runs(asked) } : undefined,
    playwright: await firstThatRuns([await playwrightPath()]),
    installed: await firstThatRuns(usualPlaces()),
    canApt: isRoot && isDebian(),
  };
}

const INSTALLERS = {
  playwright: async () => {
    console.log('Chromium not found. Running `playwright install chromium`…');
    return runNode([commandOf('@playwright/test', 'playwright'), 'install', 'chromium'], {
      timeoutMs: 300_000,
    });
  },
  apt: async () => {
    console.log('Running `apt-get install chromium`…');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const update = await run('apt-get', ['update'], { env, timeoutMs: 120_000 });
    const install = (/** @type {string[]} */ ...names) =>
      run('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env, timeoutMs: 400_000 });
    const both = await install('chromium', 'chromium-headless-shell');
    // Older releases have no package of the shell.
    const installed = both.code === 0 ? both : await install('chromium');
    return { ...installed, output: update.output + installed.output };
  },
};

/**
 * A Chromium that runs, if need be after installing one.
 *
 * @param {{ mayInstall: boolean }} options
 * @returns {Promise<import('./chooseChromium.mjs').Choice & { kind: 'use' | 'none' }>}
 */
export async function findChromium({ mayInstall }) {
  /** @type {import('./chooseChromium.mjs').Attempt[]} */
  const attempts = [];
  for (;;) {
    const choice = chooseChromium(await lookAround(), attempts, { mayInstall });
    if (choice.kind !== 'install') return choice;
    const { code, output } = await INSTALLERS[choice.by]();
    attempts.push({ by: choice.by, failure: code === 0 ? undefined : reasonIn(output) });
  }
}

/**
 * For the browser tests: a headless shell where there is one, and Chromium for what a shell lacks (`@chromium`). A shell
 * is the same engine without windows, which cost a third of the time of a page.
 *
 * @param {{ mayInstall: boolean }} options
 * @returns {Promise<{ kind: 'none', says: string } | { kind: 'use', says: string, env: Record<string, string> }>}
 */
export async function findTestBrowsers(options) {
  const found = await findChromium(options);
  if (found.kind === 'none') return found;
  const isAsked = Boolean(process.env.REPRISE_CHROMIUM);
  const shell = isAsked ? undefined : await firstThatRuns(await shellPlaces());
  if (shell === undefined) return { ...found, env: { REPRISE_CHROMIUM: found.path } };
  return {
    kind: 'use',
    says: `${shell}, and ${found.says} for the tests tagged @chromium`,
    env: { REPRISE_CHROMIUM: shell, REPRISE_WHOLE_CHROMIUM: found.path },
  };
}
