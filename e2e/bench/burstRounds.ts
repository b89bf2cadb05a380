/** A page that calls the burst tool, and what a round of it costs: time, CPU of the main thread, and its longest task. */
import type { Browser, CDPSession, Page } from '@playwright/test';
import type { createParser } from 'eventsource-parser';
import { openApp } from './bench.ts';
import type { BurstKind, BurstOptions, BurstServer } from './burstServer.ts';

declare global {
  interface Window {
    createParser: typeof createParser;
    longTasks: number[];
  }
}

export const COUNT = 50_000;
/** The compiler learns: in the first round that of the page, which starts a worker, and in the second that of the worker. */
const WARM_UP = 2;

/** What one side of a round took, in milliseconds. */
export interface Cost {
  readonly wallMs: number;
  /** Of the page's main thread. */
  readonly cpuMs: number;
  /** 0 if no task took more than 50 ms. */
  readonly longestTaskMs: number;
}

export interface Round {
  readonly plain: Cost;
  readonly kept: Cost;
}

export interface RoundOptions {
  readonly rounds: number;
  readonly kind?: BurstKind;
  readonly isReady?: boolean;
  /** How many times slower than this machine. */
  readonly slowdown?: number;
}

/** Rounds of reading the bytes plainly and of calling the tool, in turn, on a page of their own. */
export async function burstRounds(
  browser: Browser,
  site: string,
  server: BurstServer,
  { rounds, kind = 'progress', isReady = false, slowdown = 1 }: RoundOptions,
): Promise<readonly Round[]> {
  const page = await openBurst(browser, site, server);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await watchLongTasks(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const burst = { count: COUNT, kind, isReady };
  const query = new URLSearchParams({ ...burst, count: String(COUNT), isReady: String(isReady) });
  const url = `${server.rawUrl}?${query}&token=${'0'.repeat(26)}`;
  const measured: Round[] = [];
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const plain = await costOf(page, cdp, () => readPlainly(page, url));
    const kept = await costOf(page, cdp, () => callBurst(page, burst));
    if (round >= WARM_UP) measured.push({ plain, kept });
  }
  await page.context().close();
  return measured;
}

/** A page that is connected to the burst server. */
export async function openBurst(browser: Browser, site: string, server: BurstServer): Promise<Page> {
  const page = await openApp(browser, site);
  await page.evaluate((url) => window.reprise.connect(url, { name: 'bench' }), server.url);
  return page;
}

async function costOf(page: Page, cdp: CDPSession, work: () => Promise<number>): Promise<Cost> {
  await page.evaluate(() => (window.longTasks = []));
  const before = await threadMs(cdp);
  const wallMs = await work();
  const cpuMs = (await threadMs(cdp)) - before;
  const longestTaskMs = await page.evaluate(() => Math.max(0, ...window.longTasks));
  return { wallMs, cpuMs, longestTaskMs };
}

/** The clock of the thread: what the machine does besides doesn't count. */
async function threadMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'ThreadTime')?.value;
  if (seconds === undefined) throw new Error('This Chromium has no clock for the main thread.');
  return seconds * 1000;
}

async function watchLongTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: 'longtask' });
  });
}

function readPlainly(page: Page, url: string): Promise<number> {
  return page.evaluate(
    async ({ address, count }) => {
      const start = performance.now();
      const response = await fetch(address);
      let messages = 0;
      const parser = window.createParser({
        onEvent: ({ data }) => {
          if (data !== '' && typeof JSON.parse(data) === 'object') messages += 1;
        },
      });
      const decoder = new TextDecoder();
      const reader = response.body?.getReader();
      for (;;) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) break;
        parser.feed(decoder.decode(chunk.value, { stream: true }));
      }
      if (messages < count) throw new Error(`Only ${messages} messages were read.`);
      return performance.now() - start;
    },
    { address: url, count: COUNT },
  );
}

/** From the click to the moment when all of it is in IndexedDB, as another reader of the database sees it. */
export function callBurst(page: Page, burst: BurstOptions = { count: COUNT }): Promise<number> {
  return page.evaluate(async (options) => {
    const serverId = window.reprise.servers()[0]?.serverId ?? '';
    const stored = (id: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('reprise');
        opening.onerror = () => {
          reject(new Error("Can't open IndexedDB."));
        };
        opening.onsuccess = () => {
          const key = `servers/${serverId}/log/head`;
          const request = opening.result.transaction('records').objectStore('records').get(key);
          request.onsuccess = () => {
            opening.result.close();
            const record = request.result as
              | { head: { calls: { id: string; received: number }[] } }
              | undefined;
            resolve(record?.head.calls.find((one) => one.id === id)?.received ?? 0);
          };
        };
      });
    const start = performance.now();
    const id = await window.reprise.call('burst', options);
    const received = () => window.reprise.calls().find((one) => one.id === id)?.received ?? 0;
    while (received() <= options.count || (await stored(id)) <= options.count) {
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    return performance.now() - start;
  }, burst);
}
