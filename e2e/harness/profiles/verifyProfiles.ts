/**
 * `npm run verify:profiles [-- <profile> …]`: every scenario on every target profile, and the servers of
 * `regressions.ts`, against the table. With `--seeds 5` the given profiles (`resumable` if none) are judged once for
 * each seed, and the verdicts must be the same. With `--workers 4` so many are judged at the same time, each in a browser
 * of its own.
 */
import { parseArgs } from 'node:util';
import { inParallel } from '../../../scripts/lib/inParallel.mjs';
import { Stage } from '../page/stage.ts';
import type { Report } from '../report/facts.ts';
import { EXPECTED } from './expected.ts';
import { compareReport, judgeProfile } from './judgeProfile.ts';
import { REGRESSIONS } from './regressions.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string' }, workers: { type: 'string', default: '1' } },
});
const ROWS = [
  ...EXPECTED.map((row) => ({ ...row, name: row.profile, scenarios: undefined })),
  ...REGRESSIONS.map((row) => ({ ...row, name: row.name ?? row.profile, scenarios: row.story })),
];
const unknown = positionals.find((given) => !ROWS.some(({ name }) => name === given));
if (unknown !== undefined) throw new Error(`There is no profile "${unknown}".`);

const verdictsIn = (report: Report): string =>
  report.scenarios.map(({ name, verdict }) => `${name} ${verdict}`).join(', ');

const seeds = values.seeds === undefined ? 1 : Number(values.seeds);

async function judgeRow(expected: (typeof ROWS)[number], stage: Stage): Promise<void> {
  const seen = new Set<string>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const report = await judgeProfile(expected, stage, {
      seed,
      allowNoCors: expected.blocked === true,
      ...(expected.scenarios && { scenarios: expected.scenarios }),
    });
    seen.add(verdictsIn(report));
    const wrong = compareReport(expected, report);
    console.log(linesOn(`${expected.name}${seeds > 1 ? ` seed ${seed}` : ''}`, report, wrong).join('\n'));
    if (wrong.length > 0) process.exitCode = 1;
  }
  if (seen.size > 1) {
    console.log(`FAIL  ${expected.name}: the seeds do not agree\n      ${[...seen].join('\n      ')}`);
    process.exitCode = 1;
  }
}

function linesOn(name: string, report: Report, wrong: readonly string[]): readonly string[] {
  const fails = report.scenarios.filter(({ verdict }) => verdict === 'fail').map((one) => one.name);
  const head = `${wrong.length === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(20)} ${report.outcome ?? '–'}`;
  const took = String(Math.round(report.durationMs / 1000)).padStart(4);
  const all = report.scenarios.map(({ name, verdict, why }) => `${name} ${verdict}: ${why}`);
  return [
    `${head}  ${took} s  ${fails.join(', ') || '–'}`,
    ...(wrong.length === 0 ? [] : [...wrong, ...all]).map((line) => `      ${line}`),
  ];
}

const names = positionals.length > 0 || values.seeds === undefined ? positionals : ['resumable'];
const rows = ROWS.filter(({ name }) => names.length === 0 || names.includes(name));
const stages: Stage[] = [];
try {
  // One after the other: the first may have to build the app.
  while (stages.length < Math.min(Number(values.workers), rows.length)) {
    stages.push(await Stage.open({ headed: false }, console.log));
  }
  const free = [...stages];
  await inParallel(rows, stages.length, async (row) => {
    const stage = free.pop();
    if (!stage) throw new Error('Each row has a stage of its own.');
    await judgeRow(row, stage);
    free.push(stage);
  });
} finally {
  await Promise.all(stages.map((stage) => stage.close()));
}
