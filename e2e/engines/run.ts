/**
 * `npm run engines [-- --rounds 10]`: reloads in the middle of a call, in Chromium and in whatever stock Firefox and
 * WebKitGTK are installed. Fails if one of them loses something or takes more than 3 times as long as Chromium.
 */
import { parseArgs } from 'node:util';
import { median } from '../bench/bench.ts';
import { openSite } from '../harness/page/site.ts';
import { startTarget } from '../targets/startTarget.ts';
import { diagnoseBlockedHeaders } from './blockedHeaders.ts';
import { startChromium } from './chromium.ts';
import { Missing, type Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { reloadDuringCall, type Reloads } from './stories.ts';
import { startWebkit } from './webkit.ts';

const SLOWEST = 3;
const STARTS = { chromium: startChromium, firefox: startFirefox, webkit: startWebkit };
/**
 * A refused request is no fault of the page. The other line is written by Firefox for every streaming response of a service
 * worker whose page is left, also if the worker has ended the stream before: no code of the worker prevents it.
 */
const EXPECTED = /Failed to load resource|A ServiceWorker intercepted the request and encountered/;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);
const wanted = values.only?.split(',') ?? Object.keys(STARTS);

const site = await openSite();
const target = await startTarget('resumable');
const STORIES = {
  'over HTTP': `await reprise.connect(${JSON.stringify(target.url)})`,
  demo: `[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Open the demo')).click();`,
};
const control = new Map<string, number>();

for (const [name, start] of Object.entries(STARTS)) {
  if (!wanted.includes(name)) continue;
  for (const [story, connect] of Object.entries(STORIES)) {
    let engine: Engine;
    try {
      engine = await start();
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      console.log(`skip  ${name}: ${error.message}`);
      break;
    }
    try {
      report(engine, story, await reloadDuringCall(engine, site.url, connect, rounds));
      const problem = await diagnoseBlockedHeaders(engine, site.url);
      if (problem !== undefined) {
        process.exitCode = 1;
        console.log(`FAIL  ${engine.name} ${engine.version}: ${problem}`);
      }
    } finally {
      await engine.close();
    }
  }
}
await target.close();
await site.close();

function report({ name, version, console: all }: Engine, story: string, reloads: Reloads): void {
  const lines = all?.filter((line) => !EXPECTED.test(line)) ?? [];
  const { backMs, call, wrongTicks, broken } = reloads;
  const typical = median(backMs);
  if (name === 'Chromium') control.set(story, typical);
  const times = typical / (control.get(story) ?? NaN);
  const problems = [
    ...(call === 'settled' ? [] : [`the call is ${call}`]),
    ...(wrongTicks === 0 ? [] : [`${wrongTicks} ticks missing or doubled`]),
    ...(broken === 0 ? [] : [`${broken} broken streams stored`]),
    ...(times > SLOWEST ? [`${times.toFixed(1)} times as long as Chromium`] : []),
    ...(lines.length > 0 ? [`${lines.length} lines in the console, first: ${lines[0] ?? ''}`] : []),
  ];
  if (problems.length > 0) process.exitCode = 1;
  const worst = Math.max(...backMs);
  console.log(
    `${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name} ${version}, ${story}: back after ${typical.toFixed(0)} ms (median of ${backMs.length}), ${worst.toFixed(0)} ms (worst)${problems.map((problem) => `; ${problem}`).join('')}`,
  );
}
