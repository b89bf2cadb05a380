/** One life of a browser with one script: the app meets it, is reloaded twice, and still works with another server. */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { editedText } from './edit.ts';
import * as inPage from './inPage.ts';
import { startMutant, type MutantServer } from './mutantServer.ts';
import { copiesOf, SAMPLES, type Script } from './script.ts';

export interface Finding {
  readonly kind:
    | 'uncaught error'
    | 'not started'
    | 'long task'
    | 'no response'
    | 'lost result'
    | 'other server';
  readonly step: string;
  readonly detail: string;
}

export interface RunResult {
  readonly findings: readonly Finding[];
  /** Parts that were shown as raw text: allowed, but each is worth a look. */
  readonly fallbacks: readonly string[];
  /** How far the app went with the script: a run that reaches nothing finds nothing. */
  readonly reached: Readonly<Record<string, number>>;
}

export interface Bench {
  readonly newContext: () => Promise<BrowserContext>;
  readonly site: string;
  /** A good server, which must go on working. */
  readonly goodUrl: string;
}

/** The longest that one task may hold up a click. */
const LONGEST_TASK_MS = 1000;
/** A page that doesn't answer for this long is frozen. */
const FROZEN_MS = 20_000;

class Frozen extends Error {}

export async function runScript(bench: Bench, script: Script): Promise<RunResult> {
  const context = await bench.newContext();
  const run = new Run(context, bench, script);
  try {
    await run.play();
  } catch (error) {
    if (!(error instanceof Frozen)) throw error;
    run.findings.push({ kind: 'no response', step: error.message, detail: `for ${FROZEN_MS / 1000} s` });
  } finally {
    await context.close();
  }
  return run;
}

class Run implements RunResult {
  readonly findings: Finding[] = [];
  readonly fallbacks: string[] = [];
  readonly reached: Record<string, number> = {};
  readonly #context: BrowserContext;
  readonly #bench: Bench;
  readonly #script: Script;
  #step = '';
  #cdp: CDPSession | undefined;
  #cpuMs = 0;

  constructor(context: BrowserContext, bench: Bench, script: Script) {
    this.#context = context;
    this.#bench = bench;
    this.#script = script;
  }

  async play(): Promise<void> {
    const page = await this.#context.newPage();
    page.on('pageerror', (error) => {
      this.#find('uncaught error', (error.stack ?? error.message).split('\n').slice(0, 4).join(' '));
    });
    // tsx wraps named functions in a helper that the page doesn't have.
    await page.addInitScript('globalThis.__name = (one) => one');
    await page.addInitScript(inPage.installFuzz);
    this.#cdp = await this.#context.newCDPSession(page);
    await this.#cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(this.#bench.site);
    await this.#ready(page);
    if (this.#script.kind === 'import') await this.#import(page);
    else await this.#meet(page);
    for (const step of ['first reload', 'second reload']) {
      await this.#do(page, step, async () => {
        await page.reload();
        await this.#ready(page);
      });
    }
    await this.#do(page, 'other server', async () => {
      const end = await page.evaluate(inPage.useGoodServer, this.#bench.goodUrl);
      if (end !== 'settled') this.#find('other server', end);
    });
  }

  async #meet(page: Page): Promise<void> {
    const server = await startMutant(this.#script);
    try {
      await this.#do(page, 'connect', async () => {
        const state = await page.evaluate(inPage.connect, server.url);
        if (state === 'connected') this.#count('connected', 1);
      });
      if (this.#script.kind === 'oauth') await this.#do(page, 'login', () => this.#logIn(page));
      await this.#do(page, 'calls', () => this.#call(page, server));
      const steps = {
        inbox: inPage.answerAll,
        tools: inPage.openTools,
        sections: inPage.openSections,
        timeline: inPage.openTimeline,
      };
      for (const [step, act] of Object.entries(steps)) {
        await this.#do(page, step, async () => this.#count(step, await page.evaluate(act)));
      }
      await this.#do(page, 'stage', () => page.evaluate(inPage.openStage));
    } finally {
      await server.close();
    }
  }

  /** A good answer ends its call, whatever came before it. */
  async #call(page: Page, { calls }: MutantServer): Promise<void> {
    const ends = await page.evaluate(inPage.callAll, [...calls.keys()]);
    for (const [tool, end] of Object.entries(ends)) {
      if (end === 'settled') this.#count('calls', 1);
      else if (calls.get(tool)?.isAnswerGood && end !== 'not made')
        this.#find('lost result', `${tool}: ${end}`);
    }
  }

  async #logIn(page: Page): Promise<void> {
    const button = page.getByRole('button', { name: /^(Log in|Continue)/ }).first();
    if (!(await button.isVisible())) return;
    // oxlint-disable-next-line typescript/no-deprecated -- the server decides whether the navigation ends
    await button.click({ noWaitAfter: true, timeout: 2000 }).catch(() => undefined);
    await page.waitForURL((url) => url.searchParams.has('code'), { timeout: 1500 }).catch(() => undefined);
    // Wherever the server has sent the page to.
    if (!page.url().startsWith(this.#bench.site)) await page.goto(this.#bench.site);
    await this.#ready(page);
  }

  async #import(page: Page): Promise<void> {
    for (const edits of copiesOf(this.#script.edits, 'log').values()) {
      const buffer = Buffer.from(editedText(SAMPLES.log, edits));
      await this.#do(page, 'import', async () => {
        await page.evaluate(inPage.openShare, this.#bench.goodUrl);
        await page
          .locator('dialog input[type=file]')
          .first()
          .setInputFiles({ name: 'log.json', mimeType: 'application/json', buffer });
        await page.evaluate(inPage.closeShare);
      });
      for (const [step, act] of Object.entries({
        sections: inPage.openSections,
        timeline: inPage.openTimeline,
      })) {
        await this.#do(page, step, async () => this.#count(step, await page.evaluate(act)));
      }
    }
  }

  async #ready(page: Page): Promise<void> {
    await page.waitForFunction(() => 'reprise' in window && document.body.textContent.trim() !== '');
    await page.evaluate(() => window.fuzz.within(4000, window.reprise.ready));
    await page.evaluate(() => window.fuzz.drawn());
  }

  /** One step; then the page is looked at. */
  async #do(page: Page, step: string, act: () => Promise<unknown>): Promise<void> {
    this.#step = step;
    this.#cpuMs = await this.#cpu();
    await this.#answering(act());
    const { isBroken, isDrawn, fallbacks, longTasks } = await this.#answering(
      page.evaluate(inPage.lookAtPage),
    );
    if (isBroken || !isDrawn) this.#find('not started', await page.locator('body').innerText());
    this.fallbacks.push(...fallbacks);
    const longest = Math.max(0, ...longTasks);
    if (longest <= LONGEST_TASK_MS) return;
    // On a busy machine a short task takes long by the clock, so the thread's own time decides.
    const usedMs = (await this.#cpu()) - this.#cpuMs;
    if (usedMs > LONGEST_TASK_MS) {
      this.#find('long task', `${Math.round(longest)} ms, ${Math.round(usedMs)} ms of CPU in this step`);
    }
  }

  async #answering<T>(promise: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const frozen = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Frozen(this.#step)), FROZEN_MS);
    });
    try {
      return await Promise.race([promise, frozen]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The time that the main thread has worked, in milliseconds. */
  async #cpu(): Promise<number> {
    const metrics = await this.#answering(
      this.#cdp?.send('Performance.getMetrics') ?? Promise.resolve(undefined),
    );
    return (metrics?.metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }

  #count(what: string, n: number): void {
    this.reached[what] = (this.reached[what] ?? 0) + n;
  }

  #find(kind: Finding['kind'], detail: string): void {
    this.findings.push({ kind, step: this.#step, detail: detail.slice(0, 600) });
  }
}
