/** `mcp-reprise/playwright`: the inspector as a fixture, for people who test their own server. */
import { existsSync } from 'node:fs';
import { chromium, test as base, type LaunchOptions } from '@playwright/test';
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

  inspector: async ({ page, repriseSite, repriseNetwork }, use) => {
    await use(new TestInspector(await Inspector.open(page, repriseSite), repriseNetwork));
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
