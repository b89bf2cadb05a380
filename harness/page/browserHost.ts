/** The browser of a run: launched here or reached over a wire, with one context for each scenario. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as playwright from '@playwright/test';
import type { Browser, BrowserContext, LaunchOptions } from '@playwright/test';
import { chromiumArgs } from '../../scripts/lib/chromium.mjs';
import { HarnessError } from '../harnessError.ts';
import { BROWSER_TITLES, enforcesCors, type BrowserName } from './browserName.ts';
import { findBrowser } from './findBrowser.ts';

export interface BrowserOptions {
  readonly headed: boolean;
  /** Chromium if left out. */
  readonly browser?: BrowserName;
  /** A Playwright server, instead of a browser of this machine. */
  readonly endpoint?: string;
  readonly withoutCors: boolean;
}

const WITHOUT_CORS = '--disable-web-security';

export class BrowserHost {
  readonly isRemote: boolean;
  readonly kind: BrowserName;
  readonly #browser: Browser;
  readonly #launch: LaunchOptions;
  readonly #profiles: string[] = [];

  static async start(options: BrowserOptions): Promise<BrowserHost> {
    const { browser: kind = 'chromium', headed, withoutCors, endpoint } = options;
    if (withoutCors && kind !== 'chromium') throw new HarnessError('usage', enforcesCors(kind));
    const loose = withoutCors ? [WITHOUT_CORS] : [];
    if (endpoint !== undefined) {
      const args = kind === 'chromium' ? { args: [...chromiumArgs, ...loose] } : {};
      return BrowserHost.#connect(kind, endpoint, { ...args, headless: !headed });
    }
    const found = await findBrowser(kind);
    if (found.kind === 'none') throw new HarnessError('unusable', found.says);
    const { args } = found.launch;
    const launch = {
      ...found.launch,
      ...(args && { args: [...args, ...loose] }),
      headless: !headed,
      // Ctrl-C is handled by the run: it keeps what was found out, and then closes the browser.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    };
    const path = launch.executablePath ?? BROWSER_TITLES[kind];
    const browser = await playwright[kind].launch(launch).catch((error: unknown) => {
      throw new HarnessError('unusable', `${path} can't be started. ${whyNot(error)}`, { cause: error });
    });
    if (launch.channel !== undefined) await requireDrivable(browser, path);
    return new BrowserHost(kind, browser, launch, false);
  }

  static async #connect(kind: BrowserName, endpoint: string, launch: LaunchOptions): Promise<BrowserHost> {
    const headers = { 'x-playwright-launch-options': JSON.stringify(launch) };
    try {
      // The app and a server on this machine are reached through the connection.
      const browser = await playwright[kind].connect(endpoint, { exposeNetwork: '<loopback>', headers });
      return new BrowserHost(kind, browser, {}, true);
    } catch (error) {
      throw new HarnessError('unusable', `No Playwright server at ${endpoint} (${firstLine(error)}).`, {
        cause: error,
      });
    }
  }

  private constructor(kind: BrowserName, browser: Browser, launch: LaunchOptions, isRemote: boolean) {
    this.kind = kind;
    this.#browser = browser;
    this.#launch = launch;
    this.isRemote = isRemote;
  }

  /** For a report. */
  get described(): { readonly name: string; readonly version: string } {
    return { name: BROWSER_TITLES[this.kind], version: this.#browser.version() };
  }

  /** `proxy`: the address of a proxy that everything goes through. */
  newContext(proxy?: string): Promise<BrowserContext> {
    return this.#browser.newContext(proxy === undefined ? {} : { proxy: { server: proxy } });
  }

  /** A browser of its own that keeps what it stores: closed and opened again, it is the same one. */
  async persistent(proxy?: string): Promise<() => Promise<BrowserContext>> {
    const profile = await mkdtemp(join(tmpdir(), 'reprise-profile-'));
    this.#profiles.push(profile);
    const options = { ...this.#launch, ...(proxy !== undefined && { proxy: { server: proxy } }) };
    return () => playwright[this.kind].launchPersistentContext(profile, options);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    for (const profile of this.#profiles.splice(0)) {
      await rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }
}

/** A Firefox of the system may lack a command that Playwright sends for each page. */
async function requireDrivable(browser: Browser, path: string): Promise<void> {
  try {
    await (await browser.newContext()).close();
  } catch (error) {
    const version = browser.version();
    await browser.close();
    throw new HarnessError(
      'unusable',
      `This Playwright can't control Firefox ${version} (${path}): ${firstLine(error)}\n` +
        "Install Playwright's own Firefox: npx playwright install firefox",
      { cause: error },
    );
  }
}

/** A browser's own complaint, where there is one: Playwright's first line only repeats that it failed. */
function whyNot(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const said = /^.*\[err\] (.*)$/m.exec(text)?.[1] ?? /<process did exit: [^>]*>/.exec(text)?.[0];
  return (said ?? firstLine(error)).trim();
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
