/**
 * `npm run soak -- --trials 1000 [--seed 1] [--workers 2] [--file soak.jsonl]`: random calls, page deaths and faults in a
 * browser. Seeds that the file has are left out, so that an interrupted run goes on. The last line is one JSON object.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openSite } from '../../harness/page/site.ts';
import { Browsers } from './browsers.ts';
import { perform, type Bench, type Performed } from './perform.ts';
import { planOf, tellPlan, type Plan } from './plan.ts';
import { appendResult, lastOfEachSeed, readResults, resultOf, tableOf, tellTable } from './results.ts';
import { shrinkPlan } from './shrinkPlan.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    file: { type: 'string', default: 'test-results/soak.jsonl' },
    /** Seeds that had a problem are played once more, after a correction. */
    again: { type: 'boolean', default: false },
    /** Plays the one seed, and tells everything. */
    story: { type: 'boolean', default: false },
    /** Counterexamples are told, and left as long as they are. */
    'no-shrink': { type: 'boolean', default: false },
    minutes: { type: 'string', default: '100000' },
  },
});
const trials = numberOf('trials');
const first = numberOf('seed');
const endsAt = Date.now() + numberOf('minutes') * 60_000;
/** A browser keeps something of every context: after so many trials it is replaced. */
const TRIALS_PER_BROWSER = 100;
const TELL_EVERY = 20;

const known = lastOfEachSeed(await readResults(values.file));
const done = new Set(
  values.story
    ? []
    : known.filter(({ problems }) => !values.again || problems.length === 0).map(({ seed }) => seed),
);
const waiting = Array.from({ length: trials }, (_, i) => first + i).filter((seed) => !done.has(seed));
let isStopped = false;
let played = 0;
let failed = 0;
// The trials that run are finished, so that browsers and servers are closed.
process.once('SIGINT', () => (isStopped = true));
process.once('SIGTERM', () => (isStopped = true));

console.log(`seeds ${first} to ${first + trials - 1}, ${waiting.length} to go, results in ${values.file}`);
const site = await openSite({ say: console.log });
await Promise.all(Array.from({ length: numberOf('workers') }, work));
await site.close();

const results = lastOfEachSeed(await readResults(values.file)).filter(
  ({ seed }) => seed >= first && seed < first + trials,
);
const table = tableOf(results);
console.log(tellTable(table));
const problems = results.filter((result) => result.problems.length > 0);
for (const { seed, problems: said } of problems) console.log(`seed ${seed}: ${said.join('; ')}`);
console.log(JSON.stringify({ ...table, problems: problems.length }));
process.exitCode = problems.length > 0 ? 1 : isStopped ? 130 : 0;

async function work(): Promise<void> {
  while (waiting.length > 0 && isWanted()) {
    const browsers = await Browsers.start();
    const bench = { browsers, site: site.url };
    try {
      for (let i = 0; i < TRIALS_PER_BROWSER && browsers.isConnected && isWanted(); i += 1) {
        const seed = waiting.shift();
        if (seed === undefined) break;
        await playSeed(bench, seed);
      }
    } finally {
      await browsers.close().catch(() => undefined);
    }
  }
}

function isWanted(): boolean {
  return !isStopped && Date.now() < endsAt;
}

async function playSeed(bench: Bench, seed: number): Promise<void> {
  const plan = planOf(seed);
  const from = Date.now();
  const performed = await perform(plan, bench);
  await appendResult(values.file, resultOf(plan, performed, Date.now() - from));
  played += 1;
  if (values.story) console.log(JSON.stringify(performed, undefined, 2));
  if (performed.verdict.problems.length > 0) {
    failed += 1;
    await tellCounterexample(plan, performed, bench);
  }
  if (played % TELL_EVERY === 0 || waiting.length === 0)
    console.log(`${played} played, ${waiting.length} to go, ${failed} failed`);
}

async function tellCounterexample(plan: Plan, { verdict, log }: Performed, bench: Bench): Promise<void> {
  console.log(`${verdict.problems.join('\n')}\n${tellPlan(plan)}`);
  if (log !== undefined) {
    const file = `${values.file}.${plan.seed}.json`;
    await writeFile(file, log);
    console.log(`The log of the page, to be imported: ${file}`);
  }
  if (values['no-shrink']) return;
  const small = await shrinkPlan(
    plan,
    verdict.problems[0] ?? '',
    async (shorter) => (await perform(shorter, bench)).verdict.problems,
  );
  console.log(small ? `shrunk to ${tellPlan(small)}\n${JSON.stringify(small)}` : 'Not reproduced.');
}

function numberOf(name: 'trials' | 'seed' | 'workers' | 'minutes'): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value > 0) return value;
  console.error(`--${name} must be a number above 0. Try: npm run soak -- --trials 100 --seed 1`);
  process.exit(2);
}
