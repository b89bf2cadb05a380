/** How a browser of this machine is launched: Playwright's own build, or one of the system that Playwright can drive. */
import type { LaunchOptions } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.mjs';
import { findOtherBrowser, firefoxPreferences } from '../../scripts/lib/otherBrowsers.mjs';
import type { BrowserName } from './browserName.ts';

export type FoundBrowser =
  | { readonly kind: 'use'; readonly launch: LaunchOptions }
  /** `says`: what to install. */
  | { readonly kind: 'none'; readonly says: string };

export async function findBrowser(name: BrowserName): Promise<FoundBrowser> {
  if (name === 'chromium') {
    const found = await findChromium({ mayInstall: false });
    return found.kind === 'none'
      ? { kind: 'none', says: `${found.says}\nOr install one: npx playwright install chromium` }
      : { kind: 'use', launch: { executablePath: found.path, args: chromiumArgs } };
  }
  const found = await findOtherBrowser(name);
  if (found.kind === 'none') return found;
  return {
    kind: 'use',
    launch: {
      ...(found.kind === 'stock' && { channel: 'moz-firefox', executablePath: found.path }),
      ...(name === 'firefox' && { firefoxUserPrefs: firefoxPreferences }),
    },
  };
}
