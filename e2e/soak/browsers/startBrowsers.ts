/** Starts the browsers of a worker, and says what each engine has no way to do. */
import type { Death, FaultName } from '../plan.ts';
import type { BrowserName, Browsers } from './seat.ts';

const STARTS: Record<BrowserName, () => Promise<Browsers>> = {
  chromium: async () => (await import('./chromium.ts')).startChromium(),
  firefox: async () => (await import('./firefox.ts')).startFirefox(),
  webkit: async () => (await import('./webkit.ts')).startWebkit(),
};

/** Not drawn for the engine. The rest of a plan is drawn from the same numbers. */
export const CANNOT: Record<BrowserName, readonly (Death | FaultName)[]> = {
  chromium: [],
  firefox: ['crash', 'offline', 'quota', 'freeze'],
  webkit: ['offline', 'quota', 'clock', 'freeze'],
};

export function startBrowsers(name: BrowserName): Promise<Browsers> {
  return STARTS[name]();
}

export function isBrowserName(name: string): name is BrowserName {
  return Object.hasOwn(STARTS, name);
}
