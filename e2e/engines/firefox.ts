/**
 * A stock Firefox, by WebDriver BiDi. Playwright 1.65 and later send a command that Firefox ESR 153 doesn't have, so an
 * older Playwright drives it (`playwright-esr`). Its classes are those of `@playwright/test`, as far as they are used here.
 */
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserType, LaunchOptions } from '@playwright/test';
import { findFirefox, firefoxPreferences } from '../../scripts/lib/otherBrowsers.mjs';
import { Missing, type StartEngine } from './engine.ts';
import { playwrightEngine } from './playwrightEngine.ts';

// Its core: a process can't load two test runners.
const requireOfEsr = createRequire(createRequire(import.meta.url).resolve('playwright-esr/package.json'));
const { firefox } = requireOfEsr('playwright-core') as { firefox: BrowserType };

/** A browser for many contexts. `context.newPage()`, `page.reload()` and the rest work as in Chromium; there is no CDP. */
export function launchFirefox(options: LaunchOptions = {}): Promise<Browser> {
  return firefox.launch({ ...launchOptions(), ...options });
}

/** A browser on a folder: closed or killed (`killByArgument(profile)`) and launched again, it has what it had. */
export function launchFirefoxProfile(profile: string, options: LaunchOptions = {}): Promise<BrowserContext> {
  return firefox.launchPersistentContext(profile, { ...launchOptions(), ...options });
}

export const startFirefox: StartEngine = async (profile) =>
  playwrightEngine({ name: 'Firefox', profile, context: await launchFirefoxProfile(profile) });

/** @throws Missing */
function launchOptions(): LaunchOptions {
  const executablePath = findFirefox();
  if (executablePath === undefined) throw new Missing('Firefox isn’t installed (Debian: firefox-esr).');
  return { channel: 'moz-firefox', executablePath, firefoxUserPrefs: firefoxPreferences };
}
