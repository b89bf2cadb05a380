/**
 * The blind window: a page that dies between the POST of a call and the first event ID on its disk can't tell what
 * became of the call. How much longer is it than in a page that does nothing but store, post, read and store?
 */
import type { Browser, Page } from '@playwright/test';
import { median, openApp, type Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';

const ROUNDS = 40;
const WARM_UP = 5;

/** When the intent was on the disk, and when the event ID was. */
interface Kept {
  readonly intent: number;
  readonly stored: number;
}

interface Moments extends Kept {
  /** When the server had the POST. */
  readonly posted: number;
}

export async function measureBlind(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const page = await openApp(browser, site);
  try {
    await page.evaluate((url) => window.reprise.connect(url, { name: 'bench' }), server.url);
    const [bare, ours]: [Moments[], Moments[]] = [[], []];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const plain = { ...(await callBarely(page, server.url)), posted: server.calledAt };
      const kept = { ...(await callInApp(page)), posted: server.calledAt };
      if (round < WARM_UP) continue;
      bare.push(plain);
      ours.push(kept);
    }
    const blind = (all: readonly Moments[]) => median(all.map(({ intent, stored }) => stored - intent));
    const words = (all: readonly Moments[]) => {
      const before = median(all.map(({ intent, posted }) => posted - intent));
      return `${blind(all).toFixed(1)} ms, ${before.toFixed(1)} ms of it before the server has the POST`;
    };
    return [
      {
        name: 'blindWindow',
        value: blind(ours) / blind(bare),
        limit: 3,
        detail: `${words(ours)}; in a bare page ${words(bare)}`,
      },
    ];
  } finally {
    await page.context().close();
    await server.close();
  }
}

function callInApp(page: Page): Promise<Kept> {
  return page.evaluate(async () => {
    const [{ serverId = '' } = {}] = await window.reprise.entries('kind:load');
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('reprise');
      opening.onerror = () => {
        reject(new Error("Can't open IndexedDB."));
      };
      opening.onsuccess = () => {
        resolve(opening.result);
      };
    });
    const isStored = (id: string): Promise<boolean> =>
      new Promise((resolve) => {
        const records = database.transaction('records').objectStore('records');
        const request = records.get(`servers/${serverId}/log/head`);
        request.onsuccess = () => {
          const { head } = request.result as { head: { calls: { id: string; received: number }[] } };
          resolve(head.calls.some((call) => call.id === id && call.received > 0));
        };
      });
    const id = await window.reprise.call('burst', { count: 0 });
    const intent = performance.now();
    while (!(await isStored(id)));
    const stored = performance.now();
    database.close();
    const { timeOrigin } = performance;
    return { intent: timeOrigin + intent, stored: timeOrigin + stored };
  });
}

/** What no page can do without: the intent on the disk, the POST, the event ID on the disk. */
function callBarely(page: Page, url: string): Promise<Kept> {
  return page.evaluate(async (address) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('bare', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('records');
      opening.onerror = () => {
        reject(new Error("Can't open IndexedDB."));
      };
      opening.onsuccess = () => {
        resolve(opening.result);
      };
    });
    const put = (key: string, value: unknown): Promise<void> =>
      new Promise((resolve) => {
        const transaction = database.transaction('records', 'readwrite', { durability: 'relaxed' });
        transaction.objectStore('records').put(value, key);
        transaction.oncomplete = () => {
          resolve();
        };
      });
    const params = { name: 'burst', arguments: { count: 0 } };
    await put('intent', params);
    const intent = performance.now();
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'bare', method: 'tools/call', params }),
    });
    await put('events', await response.text());
    const stored = performance.now();
    database.close();
    const { timeOrigin } = performance;
    return { intent: timeOrigin + intent, stored: timeOrigin + stored };
  }, url);
}
