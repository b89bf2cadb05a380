/**
 * `npm run verify:profiles [-- <profile> …]`: every scenario on every target profile, and the servers of
 * `regressions.ts`, against the table.
 *
 *   --own          only the scenarios that tell each profile's story
 *   --repeat <n>   each n times, with another seed each time; the verdicts must be the same
 *   --seed <n>     the first of these seeds (default: 1)
 *   --workers <n>  so many at a time, which is also a load for each of them (default: 1)
 *   --out <file>   a line of JSON for each run, as it ends
 */
import { appendFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { inParallel } from '../../../scripts/lib/inParallel.mjs';
import { Stage } from '../page/stage.ts';
import type { Report } from '../report/facts.ts';
import { EXPECTED, type Expected } from './expected.ts';
import { compareReport, judgeProfile } from './judgeProfile.ts';
import { REGRESSIONS } from './regressions.ts';

interface Row extends Expected {
  readonly name: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const ROWS: readonly Row[] = [...EXPECTED, ...REGRESSIONS].map((row) => ({
  ...row,
  name: row.name ?? row.profile,
}));
const unknown = positionals.find((given) => !ROWS.some(({ name }) => name === given));
if (unknown !== undefined) throw new Error(`There is no profile "${unknown}".`);

const rows = ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const seeds = Array.from({ length: Number(values.repeat) }, (_, at) => at + Number(values.seed));
/** Round after round, so that a profile meets other neighbours each time. */
const jobs = seeds.flatMap((seed) => rows.map((row) => ({ row, seed })));
const seen = new Map<string, Set<string>>();
let passed = 0;
let failed = 0;

async function judge(row: Row, seed: number, stage: Stage): Promise<void> {
  const isRegression = REGRESSIONS.some(({ name }) => name === row.name);
  const isPart = values.own || isRegression;
  const report = await judgeProfile(row, stage, {
    seed,
    allowNoCors: row.blocked === true,
    ...(isPart && { scenarios: row.story }),
  });
  const wrong = compareReport(row, report);
  if (wrong.length > 0) failed += 1;
  else passed += 1;
  seen.set(row.name, (seen.get(row.name) ?? new Set()).add(verdictsIn(report)));
  print(row, seed, report, wrong);
  if (values.out === undefined) return;
  const { outcome, grade, durationMs } = report;
  const line = { name: row.name, seed, wrong, outcome, grade, verdicts: verdictsIn(report), durationMs };
  await appendFile(values.out, `${JSON.stringify(line)}\n`);
}

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
    const stage = free.pop();
    if (!stage) throw new Error('Each run has a stage of its own.');
    await judge(row, seed, stage);
    free.push(stage);
  });
} finally {
  await Promise.all(stages.map((stage) => stage.close()));
}
const changing = [...seen].filter(([, verdicts]) => verdicts.size > 1);
for (const [name, verdicts] of changing) {
  console.log(`FAIL  ${name}: the runs do not agree\n      ${[...verdicts].join('\n      ')}`);
}
console.log(
  JSON.stringify({ rows: rows.length, runs: passed + failed, passed, failed, changing: changing.length }),
);
process.exitCode = failed > 0 || changing.length > 0 ? 1 : 0;
