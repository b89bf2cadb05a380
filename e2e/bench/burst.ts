/** 50,000 notifications in one call: how much more than reading them does it cost to keep them? */
import type { Browser, Page } from '@playwright/test';
import type { createParser } from 'eventsource-parser';
import { median, openApp, type Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';

declare global {
  interface Window {
    createParser: typeof createParser;
  }
}

export const COUNT = 50_000;
const ROUNDS = 5;

export async function measureBurst(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const page = await openApp(browser, site);
  await page.evaluate((url) => window.reprise.connect(url, { name: 'bench' }), server.url);
  await watchLongTasks(page);
  const plain: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plainMs = await readPlainly(page, `${server.rawUrl}?count=${COUNT}&token=${'0'.repeat(26)}`);
    const keptMs = await callBurst(page);
    // The first round warms up the compiler, for both sides.
    if (round > 0) {
      plain.push(plainMs);
      kept.push(keptMs);
    }
  }
  const longest = await page.evaluate(() => Math.max(0, ...window.longTasks));
  await page.context().close();
  await server.close();
  return [
    {
      name: 'burstStored',
      value: median(kept) / median(plain),
      limit: 2.5,
      detail: `${COUNT} notifications stored and countable in ${median(kept).toFixed(0)} ms, read and parsed in ${median(plain).toFixed(0)} ms`,
    },
    { name: 'longestTaskMs', value: longest, limit: 100, detail: 'the longest task while they arrived' },
  ];
}

declare global {
  interface Window {
    longTasks: number[];
  }
}

async function watchLongTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      // The yardstick parses in one go; only tasks while a call is open are the page's own.
      const open = window.reprise.calls().some(({ settledAt }) => settledAt === undefined);
      for (const { duration } of list.getEntries()) if (open) window.longTasks.push(duration);
    }).observe({ type: 'longtask' });
  });
}

function readPlainly(page: Page, url: string): Promise<number> {
  return page.evaluate(async (address) => {
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
    if (messages < 50_000) throw new Error(`Only ${messages} messages were read.`);
    return performance.now() - start;
  }, url);
}

/** From the click to the moment when all of it is in IndexedDB, as another reader of the database sees it. */
export function callBurst(page: Page): Promise<number> {
  return page.evaluate(async (count) => {
    const [{ serverId = '' } = {}] = await window.reprise.entries('kind:load');
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
    const id = await window.reprise.call('burst', { count });
    const received = () => window.reprise.calls().find((one) => one.id === id)?.received ?? 0;
    while (received() <= count || (await stored(id)) <= count) {
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    return performance.now() - start;
  }, COUNT);
}
