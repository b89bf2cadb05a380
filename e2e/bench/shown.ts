/**
 * What a first visit takes until it's painted, with 40 ms of latency for each request, against a page that loads one
 * script with as many bytes and runs nothing of it.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { median, NAME_HELPER, type Measure } from './bench.ts';

const LATENCY_MS = 40;
const ROUNDS = 9;

export async function measureShown(
  browser: Browser,
  site: string,
  folder: string,
): Promise<readonly Measure[]> {
  await writeYardstick(folder);
  const times = { app: [] as number[], yardstick: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.yardstick.push(await paintedAfter(browser, `${site}yardstick.html`));
    times.app.push(await paintedAfter(browser, site));
  }
  const [app, yardstick] = [median(times.app), median(times.yardstick)];
  return [
    {
      name: 'shown',
      value: app / yardstick,
      limit: 1.6,
      detail: `painted after ${app.toFixed(0)} ms with ${LATENCY_MS} ms of latency, a page with the same bytes after ${yardstick.toFixed(0)} ms`,
    },
  ];
}

/** The page, with a script as long as the app's whose text is a comment. */
async function writeYardstick(folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const names = (await readdir(join(folder, 'assets'))).filter((name) => /^app-.*\.js$/.test(name));
  const [name = ''] = names.filter((one) => page.includes(one));
  const text = await readFile(join(folder, 'assets', name), 'utf8');
  const shows =
    "document.body.append(Object.assign(document.createElement('main'), { textContent: 'Here' }));";
  await writeFile(join(folder, 'assets/yardstick.js'), `/*${text.replaceAll('*/', '* ')}*/${shows}`);
  const script = /<script type="module"[^>]*><\/script>/;
  const own = '<script type="module" src="./assets/yardstick.js"></script>';
  const preloads = /<link rel="modulepreload"[^>]*>/g;
  await writeFile(join(folder, 'yardstick.html'), page.replace(script, own).replaceAll(preloads, ''));
}

async function paintedAfter(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await page.addInitScript({ content: NAME_HELPER });
    await page.addInitScript(watchMain);
    await page.goto(url);
    await page.waitForFunction(() => window.mainAt !== undefined);
    return await page.evaluate(() => window.mainAt ?? NaN);
  } finally {
    await context.close();
  }
}

declare global {
  interface Window {
    mainAt?: number;
  }
}

function watchMain(): void {
  const look = (): void => {
    if (document.querySelector('main')) window.mainAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
