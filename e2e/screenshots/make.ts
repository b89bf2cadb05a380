/**
 * `npm run screenshots`: a picture of every view of the built app, with a contact sheet.
 *
 *     npm run screenshots -- [--out <folder>] [--only <pattern>] [--drawings <folder>] [--site <folder>]
 *     npm run screenshots -- --docs
 *
 * `--only` is matched against `<view>-<size>-<theme>`. `--drawings` is a folder with pictures of how views should look: those that are named in
 * `drawings.ts` are shown beside their views. `--site` is a site that is built already. `--docs` makes the pictures of the README and the docs instead.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from '@playwright/test';
import { build } from 'vite';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { startTarget } from '../../targets/startTarget.ts';
import { launch } from '../bench/bench.ts';
import { writeContactSheet, type Picture } from './contactSheet.ts';
import { makeDocsPictures } from './docsPictures.ts';
import { PAGE_SIZES, STAGE_SIZES, type Size } from './sizes.ts';
import { STAGE_VIEWS, targetViews, VIEWS, type View } from './views.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'test-results/screenshots' },
    only: { type: 'string', default: '' },
    drawings: { type: 'string' },
    site: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const out = resolve(values.out);
const wanted = new RegExp(values.only);

const folder = await mkdtemp(join(tmpdir(), 'reprise-screenshots-'));
if (values.site === undefined)
  await build({ logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
const site = await serveStatic({ folder: values.site === undefined ? folder : resolve(values.site) });
const browser = await launch();
try {
  if (values.docs) await makeDocsPictures(browser, site.url);
  else await makeViews(browser);
} finally {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}

async function makeViews(on: Browser): Promise<void> {
  await mkdir(out, { recursive: true });
  const skills = await startTarget('skills');
  const app = await startTarget('app');
  const pictures = [
    ...(await walk(on, VIEWS, PAGE_SIZES)),
    ...(await walk(on, targetViews({ skills: skills.url, app: app.url }), PAGE_SIZES)),
    ...(await walk(on, STAGE_VIEWS, STAGE_SIZES)),
  ];
  await skills.close();
  await app.close();
  const sheet = await writeContactSheet(on, out, pictures, values.drawings && resolve(values.drawings));
  console.log(`${pictures.length} pictures. Contact sheet: ${sheet}`);
}

/** Each size and theme is one visit that goes through all views, as a user would. */
async function walk(
  on: Browser,
  views: readonly View[],
  sizes: readonly Size[],
): Promise<readonly Picture[]> {
  const pictures: Picture[] = [];
  for (const size of sizes) {
    for (const theme of ['light', 'dark'] as const) {
      const nameOf = (view: View) => `${view.name}-${size.name}-${theme}`;
      const last = views.findLastIndex((view) => wanted.test(nameOf(view)));
      if (last < 0) continue;
      const context = await on.newContext({ viewport: size.viewport, colorScheme: theme });
      const page = await context.newPage();
      await page.goto(site.url);
      await page.waitForFunction(() => 'reprise' in window);
      await page.evaluate(() => window.reprise.ready);
      for (const view of views.slice(0, last + 1)) {
        await view.show(page);
        if (!wanted.test(nameOf(view))) continue;
        const file = `${nameOf(view)}.png`;
        await page.screenshot({ path: join(out, file) });
        pictures.push({ view: view.name, size: size.name, theme, file });
      }
      await context.close();
    }
  }
  return pictures;
}
