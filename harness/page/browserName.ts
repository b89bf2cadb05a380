/** The browsers that a run can use, by the names that Playwright has for them. */
import { HarnessError } from '../harnessError.ts';

export const BROWSER_NAMES = ['chromium', 'firefox', 'webkit'] as const;

export type BrowserName = (typeof BROWSER_NAMES)[number];

export const BROWSER_TITLES: Readonly<Record<BrowserName, string>> = {
  chromium: 'Chromium',
  firefox: 'Firefox',
  webkit: 'WebKit',
};

/** No other browser has a switch for it. */
export const enforcesCors = (name: BrowserName): string =>
  `${BROWSER_TITLES[name]} always enforces CORS. Remove --allow-no-cors, or use --browser chromium.`;

/** Nothing that Playwright offers ends the process of a tab there. */
export const noCrash = (browser: BrowserName): string =>
  `Playwright can't crash a tab of ${BROWSER_TITLES[browser]}. Use Chromium to test it.`;

export function readBrowserName(text: string): BrowserName {
  const name = BROWSER_NAMES.find((one) => one === text);
  if (name !== undefined) return name;
  throw new HarnessError('usage', `--browser must be chromium, firefox or webkit, not "${text}".`);
}
