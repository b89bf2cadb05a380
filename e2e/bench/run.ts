/** `npm run bench`: ratios of one run. The last line is one JSON object. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { launch, type Measure } from './bench.ts';
import { measureBurst } from './burst.ts';
import { measureDrawing } from './drawing.ts';
import { measureFilter } from './filter.ts';
import { measureMillion } from './million.ts';
import { measureReload } from './reload.ts';
import { measureSize } from './size.ts';
import { measureVisible } from './visible.ts';

const folder = await mkdtemp(join(tmpdir(), 'reprise-bench-'));
await build({ logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
const site = await serveStatic({ folder });
const browser = await launch();
const measures: Measure[] = [];
try {
  measures.push(...(await measureSize(folder)));
  measures.push(...(await measureBurst(browser, site.url)));
  measures.push(...(await measureReload(browser, site.url)));
  measures.push(...(await measureVisible(browser, site.url)));
  measures.push(...(await measureDrawing(browser, site.url)));
  measures.push(...(await measureFilter(browser, site.url)));
  measures.push(...(await measureMillion(browser, site.url)));
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
