/** A profile of a browser that Playwright drives. */
import type { BrowserContext, Page } from '@playwright/test';
import type { Seat, Tab } from './seat.ts';

const ACTS_WITHIN_MS = 30_000;

/**
 * Nothing is uncaught: Firefox tells of a request whose connection broke, or that a reload has cut off in the service
 * worker, and Playwright takes it for an error. A page that misses its script doesn't come back, which is a problem of its own.
 */
const FAILED_REQUEST =
  /^Cross-Origin Request Blocked:|^Failed to load .* A ServiceWorker intercepted the request/;

interface Options {
  /** Chromium's protocol: crash, pause, workers, offline. */
  readonly hasDevtools: boolean;
  readonly close: () => Promise<void>;
}

export class PlaywrightSeat implements Seat {
  readonly pageErrors: string[] = [];
  readonly close: () => Promise<void>;
  readonly setOffline?: (isOffline: boolean) => Promise<void>;
  readonly #hasDevtools: boolean;
  #context: BrowserContext;
  #isOffline = false;

  constructor(context: BrowserContext, { hasDevtools, close }: Options) {
    this.#context = context;
    this.#hasDevtools = hasDevtools;
    this.close = close;
    if (hasDevtools) {
      this.setOffline = async (isOffline) => {
        this.#isOffline = isOffline;
        // A tab or a browser that ends meanwhile can't be told. The next one is, when it's opened.
        await this.#context.setOffline(isOffline).catch(() => undefined);
      };
    }
  }

  async open(): Promise<Tab> {
    const context = this.#context;
    const page = await context.newPage();
    page.setDefaultTimeout(ACTS_WITHIN_MS);
    page.on('pageerror', ({ message, stack = message }) => {
      if (!FAILED_REQUEST.test(stack)) this.pageErrors.push(stack);
    });
    page.on('console', (message) => {
      if (message.text().includes('svelte.dev/e/')) this.pageErrors.push(message.text());
    });
    // A tab that is being opened takes over the state at its beginning, and misses a change that comes meanwhile.
    if (this.#hasDevtools) await context.setOffline(this.#isOffline);
    return { ...tabOf(page), ...(this.#hasDevtools && devtoolsOf(page)) };
  }

  /** After a kill: the same profile, in another process. */
  protected moveTo(context: BrowserContext): void {
    this.#context = context;
  }
}

function tabOf(page: Page): Tab {
  return {
    async goto(url) {
      await page.goto(url, { waitUntil: 'commit' });
      assertLoaded(page);
    },
    async reload() {
      await page.reload({ waitUntil: 'commit' });
      assertLoaded(page);
    },
    run: (work, given) => page.evaluate(`(${String(work)})(${JSON.stringify(given)})`),
    close: () => page.close(),
    async runAlways(work, given) {
      const script = `(${String(work)})(${JSON.stringify(given)})`;
      await page.addInitScript(script);
      await page.evaluate(script).catch(() => undefined);
    },
  };
}

/**
 * A load that fails rejects before the browser shows its error page. A try that follows at once sees that page come,
 * and takes it for its own.
 */
function assertLoaded(page: Page): void {
  if (page.url().startsWith('chrome-error:')) throw new Error('The browser shows an error page.');
}

function devtoolsOf(page: Page): Pick<Required<Tab>, 'crash' | 'freeze' | 'fillStorage'> {
  return {
    async crash() {
      const crashed = page.waitForEvent('crash');
      const devtools = await page.context().newCDPSession(page);
      // Not `chrome://crash`: a page that loads at the same time would go on in its place. It never answers.
      void devtools.send('Page.crash').catch(() => undefined);
      await crashed;
    },
    /** `Page.setWebLifecycleState` has no effect on a page that is shown, and in headless all are. */
    async freeze() {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Debugger.enable');
      await devtools.send('Debugger.pause');
      return () => devtools.detach();
    },
    /** `Storage.overrideQuotaForOrigin` has no effect in headless. */
    async fillStorage() {
      const everywhere = (work: () => void) =>
        Promise.all([page.evaluate(work), ...page.workers().map((worker) => worker.evaluate(work))]);
      await everywhere(rejectWrites);
      return async () => void (await everywhere(acceptWrites));
    },
  };
}

interface Rejecting {
  acceptedWrite?: PropertyDescriptor | undefined;
}

/** Runs in the page and in its workers, until the page is left. */
function rejectWrites(): void {
  const thread = globalThis as Rejecting;
  thread.acceptedWrite ??= Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put');
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('No room.', 'QuotaExceededError');
  };
}

function acceptWrites(): void {
  const { acceptedWrite } = globalThis as Rejecting;
  if (acceptedWrite) Object.defineProperty(IDBObjectStore.prototype, 'put', acceptedWrite);
}
