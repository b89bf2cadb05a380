/**
 * `mcp-reprise/playwright`: fixtures for reloads in the middle of tool calls. `inspector` tests a server through
 * Reprise's own page, `mcpWire` tests your page.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import {
  chromium,
  expect as baseExpect,
  test as base,
  type Expect,
  type LaunchOptions,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test';
import { chromiumArgs } from '../../scripts/lib/chromium.mjs';
import type { BlipProxy } from '../page/blipProxy.ts';
import type { BrowserName } from '../page/browserName.ts';
import { findBrowser } from '../page/findBrowser.ts';
import { Inspector } from '../page/inspector.ts';
import { LazyStage } from './lazyStage.ts';
import { callMatchers } from './matchers.ts';
import { RecordedWire } from './recordedWire.ts';
import { TestInspector } from './testInspector.ts';
import { WireHolder } from './wireHolder.ts';
import { wireMatchers } from './wireMatchers.ts';
import type { McpOptions, McpWire } from './wireTypes.ts';

/** For `use` in a Playwright config. `defineConfig<RepriseOptions>({ … })` knows them. */
export interface RepriseOptions {
  /** Where your page's MCP server is. Without it, `mcpWire` can't be used. */
  mcp: McpOptions | undefined;
}

export interface RepriseFixtures {
  /** The app in a page of its own, not connected yet. */
  inspector: TestInspector;
  /** The wire between your page and its MCP server. A new one for each test, on a free port of 127.0.0.1. */
  mcpWire: McpWire;
}

interface InternalFixtures {
  _wire: WireHolder;
}

interface InternalWorkerFixtures {
  _stage: LazyStage;
}

export interface RepriseWorkerFixtures {
  /** Where the app is served. */
  repriseSite: string;
  /** What every connection of the browser goes through, so that it can be cut. */
  repriseNetwork: BlipProxy;
}

/**
 * For `use` in a Playwright config: a browser of the system, where Playwright has none of its own. That is a Chromium, or a
 * Firefox for `browserName: 'firefox'`; there is no other WebKit than Playwright's.
 */
export async function launchOptions(browserName: BrowserName = 'chromium'): Promise<LaunchOptions> {
  if (browserName === 'chromium' && existsSync(chromium.executablePath())) return { args: chromiumArgs };
  const found = await findBrowser(browserName);
  if (found.kind === 'use') return found.launch;
  return browserName === 'chromium' ? { args: chromiumArgs } : {};
}

const SCREENSHOT_MS = 10_000;

/** What the page knows of a test that failed, for its report. */
/** The HTML report links to a file. What is attached as text, it shows as text, HTML too. */
async function attachFile(
  testInfo: TestInfo,
  name: string,
  contentType: string,
  body: string,
): Promise<void> {
  const path = testInfo.outputPath(name);
  await writeFile(path, body);
  await testInfo.attach(name, { path, contentType });
}

async function attachEvidence(inspector: TestInspector, testInfo: TestInfo): Promise<void> {
  const timeline = inspector.page.getByRole('region', { name: 'Timeline' });
  // Where the page is gone, the evidence is too; the failure itself is told anyway.
  const log = await inspector.exportLog().catch(() => undefined);
  const picture = await timeline.screenshot({ timeout: SCREENSHOT_MS }).catch(() => undefined);
  if (log) await testInfo.attach('reprise-log.json', { body: log, contentType: 'application/json' });
  if (picture) await testInfo.attach('reprise-timeline.png', { body: picture, contentType: 'image/png' });
}

const extended = base.extend<
  RepriseOptions & RepriseFixtures & InternalFixtures,
  RepriseWorkerFixtures & InternalWorkerFixtures
>({
  mcp: [undefined, { option: true }],

  _stage: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
    async ({}, use) => {
      const stage = new LazyStage();
      await use(stage);
      await stage.close();
    },
    { scope: 'worker' },
  ],

  repriseSite: [
    async ({ _stage }, use) => {
      await use((await _stage.site()).url);
    },
    { scope: 'worker' },
  ],

  repriseNetwork: [
    async ({ _stage }, use) => {
      await use(await _stage.network());
    },
    { scope: 'worker' },
  ],

  _wire: async ({ mcp, browserName }, use) => {
    const holder = new WireHolder(mcp, browserName);
    await use(holder);
    await holder.close();
  },

  proxy: async ({ mcp, proxy, _wire, _stage }, use) => {
    if (!mcp) return use({ server: (await _stage.network()).url });
    if (mcp.endpoint === undefined) return use(proxy);
    const { wire } = await _wire.start(proxy);
    await use({ server: wire.proxyUrl ?? '' });
  },

  mcpWire: async ({ mcp, _wire, context }, use, testInfo) => {
    const pageWire = await _wire.start();
    pageWire.watch(context);
    const wire = new RecordedWire(pageWire, {
      title: testInfo.title,
      secrets: () => _wire.secrets,
      attach: (name, contentType, body) => attachFile(testInfo, name, contentType, body),
    });
    await use(wire);
    const hasFailed = testInfo.status !== testInfo.expectedStatus;
    const unused = wire.unusedFaults();
    const isUnproven = !hasFailed && unused.length > 0;
    const { story = 'retain-on-failure' } = mcp ?? {};
    if (!wire.isAttached && (story === 'on' || (story !== 'off' && (hasFailed || isUnproven))))
      await wire.story();
    if (isUnproven)
      throw new Error(
        `A fault never occurred, so it isn't tested: ${unused.join('; ')}. Pass { optional: true } if that is intended.`,
      );
  },

  inspector: async ({ page, repriseSite, repriseNetwork }, use, testInfo) => {
    const inspector = new TestInspector(await Inspector.open(page, repriseSite), repriseNetwork);
    await use(inspector);
    if (testInfo.status !== testInfo.expectedStatus) await attachEvidence(inspector, testInfo);
  },
});

/** Without what is internal. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & RepriseOptions & RepriseFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & RepriseWorkerFixtures
> = extended;

// With its type: declarations would name `playwright/test`, which a strict install doesn't have.
export const expect: Expect<typeof callMatchers & typeof wireMatchers> = baseExpect
  .extend(callMatchers)
  .extend(wireMatchers);

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
export type * from './wireTypes.ts';
