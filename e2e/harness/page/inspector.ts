/** The page through its public door, `window.reprise`, and what can happen to a page from outside. */
import type { BrowserContext, Page } from '@playwright/test';
import type { Activity, Call, ConnectOptions, Entry, PageState, Question, Tool } from '../contract.ts';

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

  connect(url: string, options: ConnectOptions = {}): Promise<PageState> {
    return this.#page.evaluate(([u, o]) => window.reprise.connect(u, o), [url, options] as const);
  }

  call(tool: string, args: object = {}): Promise<string> {
    return this.#page.evaluate(([t, a]) => window.reprise.call(t, a), [tool, args] as const);
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

  async callNamed(id: string): Promise<Call> {
    const call = (await this.calls()).find((one) => one.id === id);
    if (!call) throw new Error(`The page does not know the call ${id}.`);
    return call;
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

  /** Waits until the server has named a position in the stream of a call. */
  async untilPositioned(id: string): Promise<void> {
    await this.#page.waitForFunction(async (callId) => {
      const entries = await window.reprise.entries(`call:${callId}`);
      return entries.some(({ eventId }) => eventId !== undefined);
    }, id);
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

  async reload(): Promise<void> {
    await this.#page.reload();
    await this.ready();
  }

  /** Waits until a call has so many messages, then loads the page again. */
  async reloadAfter(messages: number, id?: string): Promise<void> {
    const call = id ?? (await this.calls()).at(-1)?.id;
    if (call === undefined) throw new Error('There is no call to wait for: call a tool first.');
    await this.untilReceived(call, messages);
    await this.reload();
  }

  /** The tab dies as it does when its process is killed; a new one takes its place. */
  async crash(): Promise<void> {
    const context = this.#page.context();
    const crashed = this.#page.waitForEvent('crash');
    void this.#page.goto('chrome://crash').catch(() => undefined);
    await crashed;
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
