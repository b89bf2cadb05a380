/** `mcp-reprise/playwright`: the inspector as a fixture, for people who test their own server. */
import { existsSync } from 'node:fs';
import { chromium, test as base, type LaunchOptions, type TestInfo } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../../scripts/lib/chromium.mjs';
import { startBlipProxy, type BlipProxy } from '../page/blipProxy.ts';
import { Inspector } from '../page/inspector.ts';
import { openSite } from '../page/site.ts';
import { TestInspector } from './testInspector.ts';

export interface RepriseFixtures {
  /** The app in a page of its own, not connected yet. */
  inspector: TestInspector;
}

export interface RepriseWorkerFixtures {
  /** Where the app is served. */
  repriseSite: string;
  /** What every connection of the browser goes through, so that it can be cut. */
  repriseNetwork: BlipProxy;
}

/** For `use` in a Playwright config: a Chromium of the system, where Playwright has none of its own. */
export async function launchOptions(): Promise<LaunchOptions> {
  if (existsSync(chromium.executablePath())) return { args: chromiumArgs };
  const found = await findChromium({ mayInstall: false });
  return { args: chromiumArgs, ...(found.kind === 'use' && { executablePath: found.path }) };
}

const SCREENSHOT_MS = 10_000;

/** What the page knows of a test that failed, for its report. */
async function attachEvidence(inspector: TestInspector, testInfo: TestInfo): Promise<void> {
  const timeline = inspector.page.getByRole('region', { name: 'Timeline' });
  // Where the page is gone, the evidence is too; the failure itself is told anyway.
  const log = await inspector.exportLog().catch(() => undefined);
  const picture = await timeline.screenshot({ timeout: SCREENSHOT_MS }).catch(() => undefined);
  if (log) await testInfo.attach('reprise-log.json', { body: log, contentType: 'application/json' });
  if (picture) await testInfo.attach('reprise-timeline.png', { body: picture, contentType: 'image/png' });
}

export const test = base.extend<RepriseFixtures, RepriseWorkerFixtures>({
  repriseSite: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
    async ({}, use) => {
      const site = await openSite();
      await use(site.url);
      await site.close();
    },
    { scope: 'worker' },
  ],

  repriseNetwork: [
    async ({ repriseSite }, use) => {
      const network = await startBlipProxy(repriseSite);
      await use(network);
      await network.close();
    },
    { scope: 'worker' },
  ],

  proxy: async ({ repriseNetwork }, use) => {
    await use({ server: repriseNetwork.url });
  },

  inspector: async ({ page, browserName, repriseSite, repriseNetwork }, use, testInfo) => {
    if (browserName !== 'chromium')
      throw new Error(`mcp-reprise tests in Chromium only, not in ${browserName}.`);
    const inspector = new TestInspector(await Inspector.open(page, repriseSite), repriseNetwork);
    await use(inspector);
    if (testInfo.status !== testInfo.expectedStatus) await attachEvidence(inspector, testInfo);
  },
});

export { expect } from './matchers.ts';
export { TestCall, TestInspector } from './testInspector.ts';
export type {
  Activity,
  ActivityEvent,
  Call,
  ConnectOptions,
  Entry,
  PageState,
  Question,
  Tool,
  Trigger,
} from '../contract.ts';
