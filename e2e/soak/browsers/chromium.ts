/** Chromium for the soak: a headless shell for nearly all trials, and a Chromium of its own for one in which it is killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { chromiumArgs, findTestBrowsers } from '../../../scripts/lib/chromium.mjs';
import { start, type Running } from '../../engines/process.ts';
import { PlaywrightSeat } from './playwrightSeat.ts';
import type { Browsers } from './seat.ts';

/** Without it a page that is left may come back as it was, which is one of the ways of a page. */
const KEEPS_LEFT_PAGES = '--disable-back-forward-cache';
/** What is drawn isn't looked at, and drawing is a part of the cost of a trial. */
const SMALL = { viewport: { width: 360, height: 300 }, reducedMotion: 'reduce' } as const;

export async function startChromium(): Promise<Browsers> {
  const found = await findTestBrowsers({ mayInstall: false });
  if (found.kind === 'none') throw new Error(found.says);
  // A headless shell stores nothing in a profile.
  const { REPRISE_CHROMIUM: path = '', REPRISE_WHOLE_CHROMIUM: whole = path } = found.env;
  const shared = await chromium.launch({
    executablePath: path,
    args: chromiumArgs,
    ignoreDefaultArgs: [KEEPS_LEFT_PAGES],
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  return {
    version: `Chromium ${shared.version()}`,
    get isConnected() {
      return shared.isConnected();
    },
    async seat({ isKilled }) {
      if (isKilled) return startMortal(whole);
      const context = await shared.newContext({ serviceWorkers: 'block', ...SMALL });
      return new PlaywrightSeat(context, { hasDevtools: true, close: () => context.close() });
    },
    close: () => shared.close(),
  };
}

async function startMortal(path: string): Promise<MortalSeat> {
  const profile = await mkdtemp(join(tmpdir(), 'reprise-soak-profile-'));
  const running = await launch(path, profile);
  return new MortalSeat({ path, profile, running }, contextOf(await connect(running)));
}

interface Process {
  readonly path: string;
  readonly profile: string;
  running: Running;
}

/** A process that we own, so that it can be killed: Playwright does not tell the one that it starts. */
class MortalSeat extends PlaywrightSeat {
  readonly #process: Process;

  constructor(process: Process, context: BrowserContext) {
    super(context, {
      hasDevtools: true,
      async close() {
        await process.running.stop('SIGKILL');
        await rm(process.profile, { recursive: true, force: true, maxRetries: 5 });
      },
    });
    this.#process = process;
  }

  async kill(): Promise<void> {
    const process = this.#process;
    await process.running.stop('SIGKILL');
    process.running = await launch(process.path, process.profile);
    this.moveTo(contextOf(await connect(process.running)));
  }
}

function contextOf(browser: Browser): BrowserContext {
  const [context] = browser.contexts();
  if (!context) throw new Error('The browser has no context.');
  return context;
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
