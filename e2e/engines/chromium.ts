/** The control: Chromium, by Playwright, as in every other test. */
import { launch } from '../bench/bench.ts';
import type { Engine } from './engine.ts';

export async function startChromium(): Promise<Engine> {
  const browser = await launch();
  const page = await browser.newPage();
  const lines: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') lines.push(message.text());
  });
  page.on('pageerror', (error) => lines.push(error.message));
  return {
    name: 'Chromium',
    version: browser.version(),
    console: lines,
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload({ waitUntil: 'domcontentloaded' })),
    run: (body) => page.evaluate(`(async () => { ${body} })()`),
    close: () => browser.close(),
  };
}
