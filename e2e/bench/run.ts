/** `npm run bench [-- --only drawing,filter]`: ratios of one run. The last line is one JSON object. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { launch, type Measure } from './bench.ts';
import { measureBlind } from './blind.ts';
import { measureBridge } from './bridge.ts';
import { measureBurst } from './burst.ts';
import { measureClientSize } from './clientSize.ts';
import { measureDrawing } from './drawing.ts';
import { measureFilter } from './filter.ts';
import { measureMillion } from './million.ts';
import { measureMillionTasks } from './millionTasks.ts';
import { measureReload } from './reload.ts';
import { measureShown } from './shown.ts';
import { measureSize } from './size.ts';
import { measureVisible } from './visible.ts';

const MEASURES = {
  size: async () => [...(await measureSize(browser, site.url, folder)), ...(await measureClientSize())],
  shown: () => measureShown(browser, site.url, folder),
  burst: () => measureBurst(browser, site.url),
  blind: () => measureBlind(browser, site.url),
  bridge: () => measureBridge(browser, site.url),
  reload: () => measureReload(browser, site.url),
  visible: () => measureVisible(browser, site.url),
  drawing: () => measureDrawing(browser, site.url),
  filter: () => measureFilter(browser, site.url),
  million: async () => [
    ...(await measureMillion(browser, site.url)),
    ...(await measureMillionTasks(browser, site.url)),
  ],
};
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const wanted = only?.split(',') ?? Object.keys(MEASURES);
const unknown = wanted.filter((name) => !(name in MEASURES));
if (unknown.length > 0) {
  throw new Error(`Unknown measure ${unknown.join(', ')}. Available: ${Object.keys(MEASURES).join(', ')}.`);
}

const folder = await mkdtemp(join(tmpdir(), 'reprise-bench-'));
await build({ logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
const site = await serveStatic({ folder });
const browser = await launch();
const measures: Measure[] = [];
try {
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (wanted.includes(name)) measures.push(...(await measure()));
  }
} finally {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}
for (const { name, value, limit, detail } of measures) {
  const verdict = value <= limit ? 'ok  ' : 'OVER';
  console.log(
    `${verdict}  ${name.padEnd(16)} ${value.toFixed(2).padStart(8)}  (at most ${limit})  ${detail}`,
  );
}
if (measures.some(({ value, limit }) => value > limit)) process.exitCode = 1;
console.log(
  JSON.stringify(Object.fromEntries(measures.map(({ name, value }) => [name, Number(value.toFixed(3))]))),
);
