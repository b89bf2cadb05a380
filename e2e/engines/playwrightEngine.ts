/** An engine that Playwright drives. */
import type { BrowserContext, Page } from '@playwright/test';
import type { Engine, Tab } from './engine.ts';
import { move } from './move.ts';
import { killByArgument } from './process.ts';

interface Driven {
  readonly name: string;
  readonly profile: string;
  /** A persistent context: the profile and its browser. */
  readonly context: BrowserContext;
  /** A page that ends its own process. */
  readonly crashUrl?: string;
}

export function playwrightEngine({ name, profile, context, crashUrl }: Driven): Engine {
  const lines: string[] = [];
  const blank = context.pages();
  return {
    name,
    version: context.browser()?.version() ?? '',
    console: lines,
    async open(url) {
      const page = blank.shift() ?? (await context.newPage());
      listen(page, lines);
      await page.goto(url);
      return tabOf(page, crashUrl);
    },
    async kill() {
      const closed = new Promise((resolve) => context.once('close', resolve));
      await killByArgument(profile);
      await closed;
    },
    close: () => context.close(),
  };
}

function listen(page: Page, lines: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') lines.push(message.text());
  });
  page.on('pageerror', (error) => lines.push(error.message));
}

function tabOf(page: Page, crashUrl: string | undefined): Tab {
  const run: Tab['run'] = (body) => page.evaluate(`(async () => { ${body} })()`);
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: () => reload(page),
    // What is asked of a page that goes may never be answered.
    reloadAtOnce: async () => void page.evaluate('location.reload()').catch(() => undefined),
    back: () => move(run, 'back'),
    forward: () => move(run, 'forward'),
    run,
    crash:
      crashUrl === undefined
        ? undefined
        : async () => {
            const crashed = page.waitForEvent('crash');
            void page.goto(crashUrl).catch(() => undefined);
            await crashed;
          },
    close: () => page.close(),
  };
}

/** In the moment in which another page takes its place, a page can't be reloaded. */
const REPLACED = /Not attached to an active page|ERR_ABORTED/;

async function reload(page: Page): Promise<void> {
  try {
    await page.reload({ waitUntil: 'domcontentloaded' });
  } catch (error) {
    if (!REPLACED.test(String(error))) throw error;
    await reload(page);
  }
}
