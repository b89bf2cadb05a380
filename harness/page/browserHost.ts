/** The Chromium of a run: launched here or reached over a wire, with one context for each scenario. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.mjs';
import { HarnessError } from '../harnessError.ts';

export interface BrowserOptions {
  readonly headed: boolean;
  /** A Playwright server, instead of a browser of this machine. */
  readonly endpoint?: string;
  readonly withoutCors: boolean;
}

const WITHOUT_CORS = '--disable-web-security';

export class BrowserHost {
  readonly isRemote: boolean;
  readonly #browser: Browser;
  readonly #launch: Parameters<typeof chromium.launch>[0];
  readonly #profiles: string[] = [];

  static async start(options: BrowserOptions): Promise<BrowserHost> {
    const args = [...chromiumArgs, ...(options.withoutCors ? [WITHOUT_CORS] : [])];
    if (options.endpoint !== undefined) return BrowserHost.#connect(options.endpoint, options, args);
    const found = await findChromium({ mayInstall: false });
    if (found.kind === 'none') {
      throw new HarnessError('unusable', `${found.says}\nOr install one: npx playwright install chromium`);
    }
    const launch = {
      executablePath: found.path,
      args,
      headless: !options.headed,
      // Ctrl-C is handled by the run: it keeps what was found out, and then closes the browser.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    };
    const browser = await chromium.launch(launch).catch((error: unknown) => {
      throw new HarnessError('unusable', `${found.path} can't be started. ${whyNot(error)}`, {
        cause: error,
      });
    });
    return new BrowserHost(browser, launch, false);
  }

  static async #connect(endpoint: string, options: BrowserOptions, args: string[]): Promise<BrowserHost> {
    const launchOptions = JSON.stringify({ args, headless: !options.headed });
    const headers = { 'x-playwright-launch-options': launchOptions };
    try {
      // The app and a server on this machine are reached through the connection.
      const browser = await chromium.connect(endpoint, { exposeNetwork: '<loopback>', headers });
      return new BrowserHost(browser, {}, true);
    } catch (error) {
      throw new HarnessError('unusable', `No Playwright server at ${endpoint} (${firstLine(error)}).`, {
        cause: error,
      });
    }
  }

  private constructor(browser: Browser, launch: Parameters<typeof chromium.launch>[0], isRemote: boolean) {
    this.#browser = browser;
    this.#launch = launch;
    this.isRemote = isRemote;
  }

  /** Such as "Chromium 156". */
  get name(): string {
    return `Chromium ${this.#browser.version().split('.')[0] ?? ''}`;
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
    return () => chromium.launchPersistentContext(profile, options);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    for (const profile of this.#profiles.splice(0)) {
      await rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
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
