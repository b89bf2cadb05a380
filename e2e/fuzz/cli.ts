/** `npm run fuzz -- --minutes 5 [--seed 1]`: mutated servers and logs against the built app. The last line is one JSON object. */
import { parseArgs } from 'node:util';
import { BrowserHost } from '../../harness/page/browserHost.ts';
import { openSite } from '../../harness/page/site.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { COUNTEREXAMPLES } from './counterexamples.ts';
import { fuzz, scriptsOf, type Report } from './fuzz.ts';
import { readRandom, type UnreadMessage } from './readRandom.ts';
import type { Script } from './script.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = numberOf('minutes', values.minutes, 1);
const seed = Math.floor(numberOf('seed', values.seed, Math.random() * 2 ** 31));
/** How many messages each reader gets between two page loads. */
const RUNS_PER_READER = 20;

console.log(`seed ${seed}, ${minutes} min`);
const end = Date.now() + minutes * 60_000;
let isStopped = false;
let reads = 0;
const unread: UnreadMessage[] = [];
// The script that runs is finished, so that the browser and the servers are closed.
process.once('SIGINT', () => (isStopped = true));
process.once('SIGTERM', () => (isStopped = true));

const site = await openSite({ say: console.log });
const good = await startTarget('resumable', { allowedOrigins: [new URL(site.url).origin] });
const host = await BrowserHost.start({ headed: false, withoutCors: false });
let report: Report;
try {
  report = await fuzz({
    bench: { newContext: () => host.newContext(), site: site.url, goodUrl: good.url },
    scripts: all(),
    goesOn: () => !isStopped && Date.now() < end,
    say: (text) => console.log(text),
  });
} finally {
  await host.close();
  await good.close();
  await site.close();
}
for (const fallback of new Set(report.fallbacks)) console.log(`shown as raw text: ${fallback}`);
const findings = report.counterexamples.length + unread.length;
console.log(
  JSON.stringify({
    seed,
    minutes,
    scripts: report.scripts,
    edits: report.edits,
    reads,
    fallbacks: report.fallbacks.length,
    notSeenAgain: report.notSeenAgain.length,
    findings,
  }),
);
process.exitCode = findings > 0 ? 1 : isStopped ? 130 : 0;

function* all(): Generator<Script> {
  yield* COUNTEREXAMPLES;
  let n = 0;
  for (const script of scriptsOf(seed)) {
    read(seed + n);
    n += 1;
    if (n % 10 === 0) console.log(`${n} scripts, ${reads} messages read without a browser`);
    yield script;
  }
}

function read(from: number): void {
  for (const one of readRandom(from, RUNS_PER_READER)) {
    if (unread.some(({ reader, why }) => reader === one.reader && why === one.why)) continue;
    unread.push(one);
    console.log(`not read: ${JSON.stringify(one)}`);
  }
  reads += RUNS_PER_READER;
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  console.error(`--${name} must be a number above 0. Try: npm run fuzz -- --minutes 5 --seed 1`);
  process.exit(2);
}
