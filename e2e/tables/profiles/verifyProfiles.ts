/**
 * `npm run verify:profiles [-- <profile> …]`: every scenario on every target profile, and the servers of
 * `regressions.ts`, against the table.
 *
 *   --own          only the scenarios that tell each profile's story
 *   --scenario <name>  only this one and the control call, on every profile; without the letter, which needs more
 *   --repeat <n>   each n times, with another seed each time; the verdicts must be the same
 *   --seed <n>     the first of these seeds (default: 1)
 *   --workers <n>  so many at a time, which is also a load for each of them (default: 1)
 *   --out <file>   a line of JSON for each run, as it ends; runs that the file has are not repeated
 *   --reports <folder>  the whole report of each run that is not as the table says
 *   --minutes <n>  starts no run after so many minutes; with --out, a later command does the rest
 *
 * `-- --own --repeat 10 resumable loses-one-in-twenty`: ten runs on a right server, and ten on one that loses events.
 */
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel } from '../../../scripts/lib/inParallel.mjs';
import { DEFAULT_WORKERS } from '../../../harness/defaultWorkers.ts';
import { Stage } from '../../../harness/page/stage.ts';
import type { Report } from '../../../harness/report/facts.ts';
import { TOO_BUSY } from '../../../harness/runScenarios.ts';
import { EXPECTED, type Expected } from './expected.ts';
import { compareReport, judgeProfile } from './judgeProfile.ts';
import { REGRESSIONS } from './regressions.ts';
import { jobsLeft, readRuns, tallyOf, type Run } from './rounds.ts';

interface Row extends Expected {
  readonly name: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'boolean', default: false },
    scenario: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    out: { type: 'string' },
    reports: { type: 'string' },
    minutes: { type: 'string' },
  },
});
const isWhole = values.scenario === undefined;
// What a regression expects of other scenarios than its own isn't known.
const ROWS: readonly Row[] = [...EXPECTED, ...(isWhole ? REGRESSIONS : [])].map((row) => ({
  ...row,
  name: row.name ?? row.profile,
}));
const unknown = positionals.find((given) => !ROWS.some(({ name }) => name === given));
if (unknown !== undefined) throw new Error(`Unknown profile "${unknown}".`);

const rows = ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const seeds = Array.from({ length: Number(values.repeat) }, (_, at) => at + Number(values.seed));
const names = rows.map(({ name }) => name);
const kept = values.out !== undefined && existsSync(values.out) ? readFileSync(values.out, 'utf8') : '';
const runs: Run[] = [...readRuns(kept, { names, seeds, own: values.own })];
const jobs = jobsLeft(rows, seeds, runs);
/** Together as many as one command starts. */
const workersOfEach = Math.ceil(DEFAULT_WORKERS / Number(values.workers));
const startsBefore = Date.now() + Number(values.minutes ?? Infinity) * 60_000;

async function judge(row: Row, seed: number, stage: Stage): Promise<void> {
  const isRegression = REGRESSIONS.some(({ name }) => name === row.name);
  const isPart = values.own || isRegression;
  const only = values.scenario === undefined ? undefined : ['control', values.scenario];
  const report = await judgeProfile(row, stage, {
    seed,
    allowNoCors: row.blocked === true,
    workers: workersOfEach,
    ...(isPart && { scenarios: row.story }),
    ...(only && { scenarios: only }),
  });
  if (report.scenarios.some(({ why }) => why.startsWith(TOO_BUSY))) {
    // No verdict, so it isn't kept: a later command with the same --out tests it again.
    console.log(`busy  ${row.name} seed ${seed}`);
    return;
  }
  const { outcome: _outcome, exitCode: _exitCode, remark: _remark, ...rest } = row;
  const wrong = compareReport(isWhole ? row : rest, report);
  const run: Run = { name: row.name, seed, own: values.own, wrong, verdicts: verdictsIn(report) };
  print(row, seed, report, wrong);
  if (values.reports !== undefined && wrong.length > 0) {
    await mkdir(values.reports, { recursive: true });
    await writeFile(join(values.reports, `${row.name}-${seed}.json`), JSON.stringify(report, undefined, 1));
  }
  const { outcome, grade, durationMs } = report;
  await keep(run, { outcome, grade, durationMs });
}

async function keep(run: Run, more: object = {}): Promise<void> {
  runs.push(run);
  if (run.verdicts === 'none') console.log(`FAIL  ${run.name} seed ${run.seed}: ${run.wrong.join(' ')}`);
  if (values.out !== undefined) await appendFile(values.out, `${JSON.stringify({ ...run, ...more })}\n`);
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function print({ name }: Row, seed: number, report: Report, wrong: readonly string[]): void {
  const fails = report.scenarios.filter(({ verdict }) => verdict === 'fail').map((one) => one.name);
  const which = seeds.length > 1 ? ` seed ${seed}` : '';
  const took = String(Math.round(report.durationMs / 1000)).padStart(4);
  const head = `${wrong.length === 0 ? 'ok  ' : 'FAIL'}  ${(name + which).padEnd(24)} ${report.outcome ?? '–'}`;
  console.log(`${head}  ${took} s  ${fails.join(', ') || '–'}`);
  if (wrong.length === 0) return;
  const details = report.scenarios.map((one) => `${one.name} ${one.verdict}: ${one.why}`);
  for (const line of [...wrong, ...details]) console.log(`      ${line}`);
}

const verdictsIn = ({ outcome, scenarios }: Report): string =>
  [outcome ?? '–', ...scenarios.map(({ name, verdict }) => `${name} ${verdict}`)].join(', ');

const stages: Stage[] = [];
try {
  // One after the other: the first may have to build the app.
  while (stages.length < Math.min(Number(values.workers), jobs.length)) {
    stages.push(await Stage.open({ headed: false }, console.log));
  }
  const free = [...stages];
  await inParallel(jobs, stages.length, async ({ row, seed }) => {
    if (Date.now() >= startsBefore) return;
    const stage = free.pop();
    if (!stage) throw new Error('Each run needs its own stage.');
    try {
      await judge(row, seed, stage);
    } catch (error) {
      await keep({ name: row.name, seed, own: values.own, wrong: [reason(error)], verdicts: 'none' });
    }
    free.push(stage);
  });
} finally {
  await Promise.all(stages.map((stage) => stage.close()));
}
const { changing, ...tally } = tallyOf(runs, names, seeds);
for (const { name, verdicts } of changing) {
  console.log(`FAIL  ${name}: results differ between runs\n      ${verdicts.join('\n      ')}`);
}
const left = rows.length * seeds.length - runs.length;
console.log(JSON.stringify({ rows: rows.length, ...tally, left, changing: changing.length }));
process.exitCode = tally.failed > 0 || changing.length > 0 ? 1 : 0;
