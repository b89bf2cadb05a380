/** The small frame around a benchmark: a browser, a site, medians and limits. */
import { readFile } from 'node:fs/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.mjs';

export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly detail: string;
}

export async function launch(): Promise<Browser> {
  const found = await findChromium({ mayInstall: false });
  if (found.kind === 'none') throw new Error(found.says);
  return chromium.launch({ executablePath: found.path, args: chromiumArgs });
}

/** A page with the app and, for the yardstick, the parser library itself. */
export async function openApp(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript({ content: await parserAsScript() });
  await page.goto(url);
  await page.waitForFunction(() => 'reprise' in window);
  await page.evaluate(() => window.reprise.ready);
  return page;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** tsx keeps the names of functions by a helper, which a function that is sent to a page doesn't find there. */
export const NAME_HELPER = 'window.__name = (f) => f;';

async function parserAsScript(): Promise<string> {
  const source = await readFile(new URL(import.meta.resolve('eventsource-parser')), 'utf8');
  const body = source.replace(/export\s*\{[^}]*\};?/, '').replace(/\/\/# sourceMappingURL.*/, '');
  return `${NAME_HELPER} (() => { ${body}; window.createParser = createParser; })();`;
}
