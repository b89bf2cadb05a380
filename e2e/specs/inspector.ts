/** The fixtures of Reprise's own tests: targets on real TCP, and the page through its public door. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import type { Reprise } from '../../src/client/console/reprise.ts';
import { startFaultProxy } from '../../targets/faultProxy.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { closedAfter } from './closedAfter.ts';

type CallView = ReturnType<Reprise['calls']>[number];
type EntryView = Awaited<ReturnType<Reprise['entries']>>[number];

export class Inspector {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<this> {
    await this.page.goto('./');
    await this.ready();
    return this;
  }

  async ready(): Promise<void> {
    await this.page.waitForFunction(() => 'reprise' in window);
    await this.page.evaluate(() => window.reprise.ready);
  }

  async connect(url: string, options: Parameters<Reprise['connect']>[1] = {}): Promise<void> {
    const state = await this.page.evaluate(([u, o]) => window.reprise.connect(u, o), [url, options] as const);
    expect(state, JSON.stringify(state)).toMatchObject({ name: 'connected' });
  }

  call(tool: string, args: object = {}, options: { timeoutMs?: number } = {}): Promise<string> {
    return this.page.evaluate(([t, a, o]) => window.reprise.call(t, a, o), [tool, args, options] as const);
  }

  answer(requestId: string, result: object): Promise<void> {
    return this.page.evaluate(([id, r]) => window.reprise.answer(id, r), [requestId, result] as const);
  }

  state(): Promise<ReturnType<Reprise['state']>> {
    return this.page.evaluate(() => window.reprise.state());
  }

  calls(): Promise<readonly CallView[]> {
    return this.page.evaluate(() => window.reprise.calls());
  }

  entries(filter?: string): Promise<readonly EntryView[]> {
    return this.page.evaluate((f) => window.reprise.entries(f), filter);
  }

  async callNamed(id: string): Promise<CallView> {
    const call = (await this.calls()).find((one) => one.id === id);
    if (!call) throw new Error(`There is no call ${id}.`);
    return call;
  }

  /** Waits until this call has received so many messages, and a page that comes back would know of them. */
  async untilReceived(id: string, messages: number): Promise<void> {
    await this.page.waitForFunction(
      ([callId, n]) => (window.reprise.calls().find((call) => call.id === callId)?.received ?? 0) >= n,
      [id, messages] as const,
    );
    await this.stored();
  }

  async untilEnded(id: string, timeout = 45_000): Promise<CallView> {
    await this.page.waitForFunction(
      (callId) => window.reprise.calls().find((call) => call.id === callId)?.settledAt !== undefined,
      id,
      // By default it looks at every frame, which keeps the page drawing.
      { timeout, polling: 50 },
    );
    return this.callNamed(id);
  }

  /** Waits for a question that a page that comes back would know of, and gives its id. */
  async untilAsked(): Promise<string> {
    const id = await this.page.evaluate(async () => {
      for (let since: string | undefined; ;) {
        const activity = await window.reprise.awaitActivity({
          timeoutMs: 1000,
          ...(since !== undefined && { since }),
        });
        since = activity.lastEventId;
        const { elicitations, samplingRequests } = activity.pendingClient;
        const [question] = [...elicitations, ...samplingRequests];
        if (question) return question.id;
      }
    });
    await this.stored();
    return id;
  }

  /** Resolves when everything so far is on disk: a page may be loaded again before that, and then knows less. */
  async stored(): Promise<void> {
    await this.page.evaluate(() => window.reprise.stored());
  }

  /** A reload that finds on disk what is on the screen. */
  async reload(): Promise<void> {
    await this.stored();
    await this.reloadAtOnce();
  }

  /** A reload in the middle of whatever the page is doing. */
  async reloadAtOnce(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Connects, calls `countdown`, and reloads in the middle of it. @returns the ID of the call */
  async reloadMidCall(url: string, countdown: { ticks: number; intervalMs: number }): Promise<string> {
    await this.connect(url);
    const id = await this.call('countdown', countdown);
    await this.untilReceived(id, 6);
    await this.reload();
    return id;
  }

  /** The progress numbers of a call, in the order in which the log has them. */
  async ticks(id: string): Promise<readonly number[]> {
    const entries = await this.entries(`kind:received method:notifications/progress call:${id}`);
    return entries.map(({ message }) => (message as { params: { progress: number } }).params.progress);
  }

  /** The promise, for a countdown: nothing lost, nothing twice, in order, and the result is there. */
  async expectWhole(id: string, ticks: number): Promise<CallView> {
    const call = await this.untilEnded(id);
    expect(call, JSON.stringify(call)).toMatchObject({ name: 'settled', received: 2 * ticks + 1 });
    expect(await this.ticks(id)).toEqual(range(ticks));
    expect(call.result).toMatchObject({ structuredContent: { ticks: range(ticks) } });
    return call;
  }
}

export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

interface Fixtures {
  /** Starts a browser on one profile folder, as often as it is closed. */
  startBrowser: () => Promise<BrowserContext>;
  target: typeof startTarget;
  faultProxy: typeof startFaultProxy;
  inspector: Inspector;
  /** A page that is watched for uncaught errors. */
  watch: (page: Page) => Page;
}

/** Firefox reports it for every streaming response of a service worker whose page is left; nothing in the worker prevents it. */
const LEFT_WORKER = /A ServiceWorker intercepted the request and encountered an unexpected error/;

export const test = base.extend<Fixtures>({
  target: closedAfter(startTarget),
  faultProxy: closedAfter(startFaultProxy),

  startBrowser: async ({ playwright, browserName, baseURL }, use, { project }) => {
    const profile = await mkdtemp(join(tmpdir(), 'reprise-profile-'));
    const started: BrowserContext[] = [];
    await use(async () => {
      const browser = await playwright[browserName].launchPersistentContext(profile, {
        ...project.use.launchOptions,
        baseURL: baseURL ?? '',
      });
      started.push(browser);
      return browser;
    });
    await Promise.all(started.map((browser) => browser.close()));
    await rm(profile, { recursive: true, force: true });
  },

  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  watch: async ({}, use) => {
    const errors: string[] = [];
    await use((page) => {
      page.on('pageerror', (error) => {
        if (!LEFT_WORKER.test(error.message)) errors.push(error.stack ?? error.message);
      });
      // Svelte warns in the console of the built app, by the address of an explanation.
      page.on('console', (message) => {
        if (message.text().includes('svelte.dev/e/')) errors.push(message.text());
      });
      return page;
    });
    expect(errors, 'uncaught errors and warnings of Svelte in the page').toEqual([]);
  },

  inspector: async ({ page, watch }, use) => {
    await use(await new Inspector(watch(page)).open());
  },
});

/** The keys of stored records. */
export function storedKeys(page: Page, keyPattern: string): Promise<readonly string[]> {
  return page.evaluate(
    (pattern) =>
      new Promise<readonly string[]>((resolve) => {
        const opening = indexedDB.open('reprise');
        opening.onsuccess = () => {
          const listing = opening.result.transaction('records').objectStore('records').getAllKeys();
          listing.onsuccess = () => {
            opening.result.close();
            resolve(
              listing.result.map((key) => key as string).filter((key) => new RegExp(pattern).test(key)),
            );
          };
        };
      }),
    keyPattern,
  );
}

/** Changes stored records as a bug, a crash or another program would; says how many there were. */
export function damageRecords(page: Page, keyPattern: string, value: unknown): Promise<number> {
  return page.evaluate(
    ([pattern, record]) =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('reprise');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('records', 'readwrite');
          const records = transaction.objectStore('records');
          const listing = records.getAllKeys();
          listing.onsuccess = () => {
            const keys = listing.result.filter(
              (key) => typeof key === 'string' && new RegExp(pattern).test(key),
            );
            for (const key of keys) records.put(record, key);
            transaction.oncomplete = () => {
              opening.result.close();
              resolve(keys.length);
            };
          };
        };
      }),
    [keyPattern, value] as const,
  );
}

/** A second tab of the same browser. */
export async function openTab(context: BrowserContext, watch: Fixtures['watch']): Promise<Inspector> {
  return new Inspector(watch(await context.newPage())).open();
}

export { expect };
