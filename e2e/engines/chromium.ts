/** The control: Chromium, by Playwright, as in every other test. */
import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.mjs';
import { Missing, type StartEngine } from './engine.ts';
import { playwrightEngine } from './playwrightEngine.ts';

export const startChromium: StartEngine = async (profile) => {
  const found = await findChromium({ mayInstall: false });
  if (found.kind === 'none') throw new Missing(found.says);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: found.path,
    args: chromiumArgs,
    // Playwright turns the back/forward cache off, and people have it.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  return playwrightEngine({ name: 'Chromium', profile, context, crashUrl: 'chrome://crash' });
};
