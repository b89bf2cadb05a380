/**
 * `npm run soak -- --trials 1000 [--seed 1] [--workers 2] [--browser firefox] [--file soak.jsonl]`: random calls, page
 * deaths and faults in a browser. Seeds that the file has are left out, so that an interrupted run goes on. The last
 * line is one JSON object. `--table docs/soak.md --file a --file b` runs nothing, and writes what the files have there.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openSite } from '../../harness/page/site.ts';
import { CANNOT, isBrowserName, startBrowsers } from './browsers/startBrowsers.ts';
import { perform, type Bench, type Performed } from './perform.ts';
import { planOf, tellPlan, type Plan } from './plan.ts';
import { appendResult, readResults, resultOf } from './results.ts';
import { shrinkPlan } from './shrinkPlan.ts';
import { lastOfEachSeed, replaceTable, tableOf, tellTables } from './table.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    browser: { type: 'string', default: 'chromium' },
    file: { type: 'string', multiple: true, default: ['test-results/soak.jsonl'] },
    /** A name for the code, such as its commit. */
    code: { type: 'string' },
    /** Seeds that had a problem are played once more, after a correction. */
    again: { type: 'boolean', default: false },
    /** Plays the one seed, and tells everything. */
    story: { type: 'boolean', default: false },
    /** Counterexamples are told, and left as long as they are. */
    'no-shrink': { type: 'boolean', default: false },
    minutes: { type: 'string', default: '100000' },
    table: { type: 'string' },
  },
});
if (values.table !== undefined) {
  const tables = await Promise.all(values.file.map(async (one) => tableOf(await readResults(one))));
  await writeFile(values.table, replaceTable(await readFile(values.table, 'utf8'), tellTables(tables)));
  process.exit();
}
const [file = ''] = values.file;
const { browser: name } = values;
if (!isBrowserName(name)) leave(`Unknown browser "${name}". Try: --browser chromium, firefox or webkit`);
const browser = name;
const trials = numberOf('trials');
const first = numberOf('seed');
const endsAt = Date.now() + numberOf('minutes') * 60_000;
/** A browser keeps something of every context: after so many trials it is replaced. */
const TRIALS_PER_BROWSER = 100;
const TELL_EVERY = 20;
/** A trial that gets stuck takes a minute: a story that isn't short by then stays as it is. */
const SHRINKS_FOR_MS = 3 * 60_000;

const known = lastOfEachSeed(await readResults(file));
const done = new Set(
  values.story
    ? []
    : known.filter(({ problems }) => !values.again || problems.length === 0).map(({ seed }) => seed),
);
const waiting = Array.from({ length: trials }, (_, i) => first + i).filter((seed) => !done.has(seed));
const startedAt = Date.now();
let isStopped = false;
let played = 0;
let failed = 0;
// The trials that run are finished, so that browsers and servers are closed.
process.once('SIGINT', () => (isStopped = true));
process.once('SIGTERM', () => (isStopped = true));

console.log(`seeds ${first} to ${first + trials - 1}, ${waiting.length} to go, results in ${file}`);
const site = await openSite({ say: console.log });
await Promise.all(Array.from({ length: numberOf('workers') }, work));
await site.close();

const results = lastOfEachSeed(await readResults(file)).filter(
  ({ seed }) => seed >= first && seed < first + trials,
);
const table = tableOf(results);
console.log(tellTables([table]));
const problems = results.filter((result) => result.problems.length > 0);
for (const { seed, problems: said } of problems) console.log(`seed ${seed}: ${said.join('; ')}`);
console.log(JSON.stringify({ ...table, problems: problems.length }));
// Not left to Node: at its natural end Node 20 can spin for good over the handles of processes that were killed.
process.exit(problems.length > 0 ? 1 : isStopped ? 130 : 0);

async function work(): Promise<void> {
  while (waiting.length > 0 && isWanted()) {
    const browsers = await startBrowsers(browser);
    const bench = { browsers, site: site.url };
    try {
      for (let i = 0; i < TRIALS_PER_BROWSER && browsers.isConnected && isWanted(); i += 1) {
        const seed = waiting.shift();
        if (seed === undefined) break;
        await playSeed(bench, browsers.version, seed);
      }
    } finally {
      await browsers.close().catch(() => undefined);
    }
  }
}

function isWanted(): boolean {
  return !isStopped && Date.now() < endsAt;
}

async function playSeed(bench: Bench, version: string, seed: number): Promise<void> {
  const plan = planOf(seed, CANNOT[browser]);
  const from = Date.now();
  const performed = await perform(plan, bench);
  const on = { browser: version, ...(values.code !== undefined && { code: values.code }) };
  await appendResult(file, resultOf(plan, performed, Date.now() - from, on));
  played += 1;
  if (values.story) console.log(JSON.stringify(performed, undefined, 2));
  if (performed.verdict.problems.length > 0) {
    failed += 1;
    await tellCounterexample(plan, performed, bench);
  }
  if (played % TELL_EVERY === 0 || waiting.length === 0) {
    const perMinute = Math.round(played / ((Date.now() - startedAt) / 60_000));
    console.log(`${played} played (${perMinute} a minute), ${waiting.length} to go, ${failed} failed`);
  }
}

async function tellCounterexample(
  plan: Plan,
  { verdict, log, sight }: Performed,
  bench: Bench,
): Promise<void> {
  console.log(`${verdict.problems.join('\n')}\n${tellPlan(plan)}`);
  if (sight) console.log(`The tab shows ${JSON.stringify(sight)}`);
  if (log !== undefined) {
    const logFile = `${file}.${plan.seed}.json`;
    await writeFile(logFile, log);
    console.log(`The log of the page, to be imported: ${logFile}`);
  }
  if (values['no-shrink']) return;
  const until = Date.now() + SHRINKS_FOR_MS;
  const small = await shrinkPlan(plan, verdict.problems[0] ?? '', async (shorter) => {
    // What isn't tried isn't known to fail, so the shortest story so far is told.
    const mayTry = isWanted() && Date.now() < until;
    return mayTry ? (await perform(shorter, bench)).verdict.problems : [];
  });
  console.log(small ? `shrunk to ${tellPlan(small)}\n${JSON.stringify(small)}` : 'Not reproduced.');
}

function numberOf(option: 'trials' | 'seed' | 'workers' | 'minutes'): number {
  const value = Number(values[option]);
  if (Number.isFinite(value) && value > 0) return value;
  return leave(`--${option} must be a number above 0. Try: npm run soak -- --trials 100 --seed 1`);
}

function leave(says: string): never {
  console.error(says);
  process.exit(2);
}
