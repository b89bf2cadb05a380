// Which Firefox and which WebKit there are on this machine.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { run } from './run.mjs';

/** @typedef {'chromium' | 'firefox' | 'webkit'} BrowserName */

/**
 * @typedef {(
 *   | { kind: 'playwright' }
 *   | { kind: 'stock', path: string }
 *   | { kind: 'none', says: string }
 * )} FoundBrowser `stock`: an installed Firefox, which Playwright drives by WebDriver BiDi
 */

/** Otherwise Firefox never asks a proxy for what is on this machine. */
export const firefoxPreferences = { 'network.proxy.allow_hijacking_localhost': true };

/**
 * Playwright's own build, or an installed Firefox. Playwright drives no other WebKit than its own.
 *
 * @param {'firefox' | 'webkit'} name
 * @returns {Promise<FoundBrowser>}
 */
export async function findOtherBrowser(name) {
  const playwright = await import('@playwright/test');
  if (existsSync(playwright[name].executablePath())) return { kind: 'playwright' };
  const path = name === 'firefox' ? findFirefox() : undefined;
  if (path !== undefined) return { kind: 'stock', path };
  const title = name === 'firefox' ? 'Firefox' : 'WebKit';
  return { kind: 'none', says: `${title} not found. Install it: npx playwright install ${name}` };
}

/** The path of an installed Firefox. `REPRISE_FIREFOX` sets another one. */
export function findFirefox() {
  const { PATH = '', REPRISE_FIREFOX } = process.env;
  if (REPRISE_FIREFOX) return REPRISE_FIREFOX;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const names = ['firefox-esr', 'firefox'].flatMap((name) => folders.map((folder) => join(folder, name)));
  const mac = '/Applications/Firefox.app/Contents/MacOS/firefox';
  return [...names, mac].find((path) => existsSync(path));
}

/** The Python that Debian's packages are for. */
export const SYSTEM_PYTHON = '/usr/bin/python3';

/** Whether the library is there, and what a program in Python needs to open windows with it. */
export async function hasWebkitGtk() {
  if (process.platform !== 'linux' || !existsSync(SYSTEM_PYTHON)) return false;
  const script = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";
  return (await run(SYSTEM_PYTHON, ['-c', script], { timeoutMs: 20_000 })).code === 0;
}
