/** The browsers of a worker: one for nearly all trials, and one of its own for a trial in which it is killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { chromiumArgs, findTestBrowsers } from '../../scripts/lib/chromium.mjs';
import { start, type Running } from '../engines/process.ts';

/** Without it a page that is left may come back as it was, which is one of the ways of a page. */
const KEEPS_LEFT_PAGES = '--disable-back-forward-cache';

/** A browser's window to the trial: its context, and where it can, its violent end. */
export interface Seat {
  readonly context: BrowserContext;
  /** Ends the browser with SIGKILL, and opens it again on the same profile. */
  kill?(): Promise<BrowserContext>;
  close(): Promise<void>;
}

export class Browsers {
  /** A headless shell stores nothing in a profile. */
  readonly #whole: string;
  readonly #shared: Browser;

  static async start(): Promise<Browsers> {
    const found = await findTestBrowsers({ mayInstall: false });
    if (found.kind === 'none') throw new Error(found.says);
    const { REPRISE_CHROMIUM: path = '', REPRISE_WHOLE_CHROMIUM: whole = path } = found.env;
    const shared = await chromium.launch({
      executablePath: path,
      args: chromiumArgs,
      ignoreDefaultArgs: [KEEPS_LEFT_PAGES],
      handleSIGINT: false,
      handleSIGTERM: false,
    });
    return new Browsers(whole, shared);
  }

  private constructor(whole: string, shared: Browser) {
    this.#whole = whole;
    this.#shared = shared;
  }

  get version(): string {
    return this.#shared.version();
  }

  get isConnected(): boolean {
    return this.#shared.isConnected();
  }

  async seat({ isKilled }: { isKilled: boolean }): Promise<Seat> {
    if (isKilled) return MortalBrowser.start(this.#whole);
    const context = await this.#shared.newContext({ serviceWorkers: 'block' });
    return { context, close: () => context.close() };
  }

  close(): Promise<void> {
    return this.#shared.close();
  }
}

/** A process that we own, so that it can be killed: Playwright does not tell the one that it starts. */
class MortalBrowser implements Seat {
  readonly #path: string;
  readonly #profile: string;
  #running: Running;
  #browser: Browser;

  static async start(path: string): Promise<MortalBrowser> {
    const profile = await mkdtemp(join(tmpdir(), 'reprise-soak-profile-'));
    const running = await launch(path, profile);
    return new MortalBrowser(path, profile, running, await connect(running));
  }

  private constructor(path: string, profile: string, running: Running, browser: Browser) {
    this.#path = path;
    this.#profile = profile;
    this.#running = running;
    this.#browser = browser;
  }

  get context(): BrowserContext {
    const [context] = this.#browser.contexts();
    if (!context) throw new Error('The browser has no context.');
    return context;
  }

  async kill(): Promise<BrowserContext> {
    await this.#running.stop('SIGKILL');
    this.#running = await launch(this.#path, this.#profile);
    this.#browser = await connect(this.#running);
    return this.context;
  }

  async close(): Promise<void> {
    await this.#running.stop('SIGKILL');
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function launch(path: string, profile: string): Promise<Running> {
  const args = [
    ...chromiumArgs,
    '--headless',
    '--remote-debugging-port=0',
    '--password-store=basic',
    '--use-mock-keychain',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  return start([path], args, /DevTools listening on (ws:\S+)/);
}

function connect({ match }: Running): Promise<Browser> {
  return chromium.connectOverCDP(match[1] ?? '');
}
