/** The page through its public door, `window.reprise`, and what can happen to a page from outside. */
import type { BrowserContext, Page } from '@playwright/test';
import { noCrash } from './browserName.ts';
import type { Activity, Call, ConnectOptions, Entry, PageState, Question, Tool } from '../contract.ts';

const SETTLED_WITHIN_MS = 20_000;

export class Inspector {
  #page: Page;
  readonly #site: string;
  #timeoutMs: number;

  private constructor(page: Page, site: string, timeoutMs: number) {
    this.#page = page;
    this.#site = site;
    this.#timeoutMs = timeoutMs;
    page.setDefaultTimeout(timeoutMs);
  }

  /** Opens the app in a page: a new tab, or one that is given. */
  static async open(
    where: BrowserContext | Page,
    site: string,
    options: { timeoutMs?: number } = {},
  ): Promise<Inspector> {
    const page = 'newPage' in where ? await where.newPage() : where;
    const inspector = new Inspector(page, site, options.timeoutMs ?? 60_000);
    await page.goto(site);
    await inspector.ready();
    return inspector;
  }

  get page(): Page {
    return this.#page;
  }

  async ready(): Promise<void> {
    await this.#page.waitForFunction(() => 'reprise' in window);
    await this.#page.evaluate(() => window.reprise.ready);
  }

  /** The state in which connecting ends: one that passes, such as `reconnecting`, is waited out. */
  async connect(url: string, options: ConnectOptions = {}): Promise<PageState> {
    const state = await this.#page.evaluate(([u, o]) => window.reprise.connect(u, o), [
      url,
      options,
    ] as const);
    const isPassing = state.name === 'reconnecting' || state.name === 'connecting';
    return isPassing ? this.untilConnected(Math.min(SETTLED_WITHIN_MS, this.#timeoutMs)) : state;
  }

  call(tool: string, args: object = {}, options: { readonly meta?: object } = {}): Promise<string> {
    return this.#page.evaluate(([t, a, o]) => window.reprise.call(t, a, o), [tool, args, options] as const);
  }

  answer(requestId: string, result: object): Promise<void> {
    return this.#page.evaluate(([id, r]) => window.reprise.answer(id, r), [requestId, result] as const);
  }

  awaitActivity(options: { timeoutMs?: number; since?: string } = {}): Promise<Activity> {
    return this.#page.evaluate((o) => window.reprise.awaitActivity(o), options);
  }

  state(): Promise<PageState> {
    return this.#page.evaluate(() => window.reprise.state());
  }

  tools(): Promise<readonly Tool[]> {
    return this.#page.evaluate(() => window.reprise.tools()) as Promise<readonly Tool[]>;
  }

  calls(): Promise<readonly Call[]> {
    return this.#page.evaluate(() => window.reprise.calls());
  }

  entries(filter?: string): Promise<readonly Entry[]> {
    return this.#page.evaluate((f) => window.reprise.entries(f), filter);
  }

  /** The log as redacted JSON. */
  exportLog(): Promise<string> {
    return this.#page.evaluate(() => window.reprise.exportLog());
  }

  async callNamed(id: string): Promise<Call> {
    const call = (await this.calls()).find((one) => one.id === id);
    if (!call) throw new Error(`Unknown call ${id}.`);
    return call;
  }

  /** Waits until the page shows a call, which may have been made in another tab. */
  async untilKnown(id: string): Promise<void> {
    await this.#page.waitForFunction((callId) => window.reprise.calls().some((one) => one.id === callId), id);
  }

  /** Waits until a call has so many messages, or has ended before. */
  async untilReceived(id: string, messages: number): Promise<void> {
    await this.#page.waitForFunction(
      ([callId, n]) => {
        const call = window.reprise.calls().find((one) => one.id === callId);
        return call !== undefined && (call.received >= n || call.settledAt !== undefined);
      },
      [id, messages] as const,
    );
  }

  /** Waits a little for messages that come after the end of a call, on another stream. */
  async untilComplete(id: string, messages: number, timeoutMs: number): Promise<void> {
    await this.#page
      .waitForFunction(
        ([callId, n]) => (window.reprise.calls().find((one) => one.id === callId)?.received ?? 0) >= n,
        [id, messages] as const,
        { timeout: timeoutMs },
      )
      .catch(rethrowUnlessTimeout);
  }

  /** Waits until the answer to a call has begun, or the call has ended. */
  async untilOpen(id: string): Promise<void> {
    await this.#page.waitForFunction(
      (callId) => window.reprise.calls().find((one) => one.id === callId)?.name !== 'sending',
      id,
    );
  }

  /** Waits until the stream of a call has an event ID that is stored, up to the given time. */
  untilPositioned(id: string, timeoutMs = this.#timeoutMs): Promise<void> {
    return this.#page.evaluate(
      async ([callId, limitMs]) => {
        for (const endsAt = Date.now() + limitMs; Date.now() < endsAt;) {
          const entries = await window.reprise.entries(`call:${callId}`);
          // A page that is closed before would know nothing of it, which isn't the server's fault.
          if (entries.some(({ eventId }) => eventId !== undefined)) return window.reprise.stored();
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      },
      [id, timeoutMs] as const,
    );
  }

  /** Waits for the end of a call; one that has none within the time is given as it is. */
  async untilEnded(id: string, timeoutMs = this.#timeoutMs): Promise<Call> {
    await this.#page
      .waitForFunction(
        (callId) => window.reprise.calls().find((one) => one.id === callId)?.settledAt !== undefined,
        id,
        { timeout: timeoutMs },
      )
      .catch(rethrowUnlessTimeout);
    return this.callNamed(id);
  }

  /** Waits for the result of a call that the page has given up. */
  async untilSettled(id: string, timeoutMs: number): Promise<Call> {
    await this.#page
      .waitForFunction(
        (callId) => window.reprise.calls().find((one) => one.id === callId)?.name === 'settled',
        id,
        { timeout: timeoutMs },
      )
      .catch(rethrowUnlessTimeout);
    return this.callNamed(id);
  }

  async untilConnected(timeoutMs = this.#timeoutMs): Promise<PageState> {
    await this.#page
      .waitForFunction(
        () => ['connected', 'failed', 'disconnected'].includes(window.reprise.state().name),
        undefined,
        { timeout: timeoutMs },
      )
      .catch(rethrowUnlessTimeout);
    return this.state();
  }

  /** The questions that wait for an answer; waits for the first one, up to the given time. */
  async untilAsked(timeoutMs = this.#timeoutMs): Promise<readonly Question[]> {
    return this.#page.evaluate(async (limitMs) => {
      const endsAt = Date.now() + limitMs;
      for (let since: string | undefined; ;) {
        const leftMs = endsAt - Date.now();
        const activity = await window.reprise.awaitActivity({
          timeoutMs: Math.max(0, Math.min(leftMs, 500)),
          ...(since !== undefined && { since }),
        });
        since = activity.lastEventId;
        const { elicitations, samplingRequests } = activity.pendingClient;
        const questions = [...elicitations, ...samplingRequests];
        if (questions.length > 0 || leftMs <= 0) return questions;
      }
    }, timeoutMs);
  }

  /** Loads the page again; at once, or after what happens while the tab shows nothing. */
  async reload(meanwhile?: () => Promise<void>): Promise<void> {
    if (meanwhile) {
      const url = this.#page.url();
      await this.#page.goto('about:blank');
      await meanwhile();
      await this.#page.goto(url);
    } else await this.#page.reload();
    await this.ready();
  }

  /** The tab dies as it does when its process is killed; a new one takes its place. */
  async crash(meanwhile?: () => Promise<void>): Promise<void> {
    const context = this.#page.context();
    const kind = context.browser()?.browserType().name() ?? 'chromium';
    if (kind === 'firefox' || kind === 'webkit') throw new Error(noCrash(kind));
    const crashed = this.#page.waitForEvent('crash');
    void this.#page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    await meanwhile?.();
    await this.reopen(context);
  }

  /** Closes the tab and opens another one, after whatever happens in between. */
  async away(meanwhile: () => Promise<void>): Promise<void> {
    const context = this.#page.context();
    await this.#page.close();
    await meanwhile();
    await this.reopen(context);
  }

  private async reopen(context: BrowserContext): Promise<void> {
    const page = await context.newPage();
    page.setDefaultTimeout(this.#timeoutMs);
    this.#page = page;
    await page.goto(this.#site);
    await this.ready();
  }
}

function rethrowUnlessTimeout(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
}
