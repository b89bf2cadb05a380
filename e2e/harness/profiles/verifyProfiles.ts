/**
 * `npm run verify:profiles [-- <profile> …]`: every scenario on every target profile, and the servers of
 * `regressions.ts`, against the table. With `--seeds 5` the given profiles (`resumable` if none) are judged once for
 * each seed, and the verdicts must be the same.
 */
import { parseArgs } from 'node:util';
import { Stage } from '../page/stage.ts';
import type { Report } from '../report/facts.ts';
import { EXPECTED } from './expected.ts';
import { compareReport, judgeProfile } from './judgeProfile.ts';
import { REGRESSIONS } from './regressions.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seeds: { type: 'string' } } });
const ROWS = [
  ...EXPECTED.map((row) => ({ ...row, name: row.profile, scenarios: undefined })),
  ...REGRESSIONS.map((row) => ({ ...row, name: row.name ?? row.profile, scenarios: row.story })),
];
const unknown = positionals.find((given) => !ROWS.some(({ name }) => name === given));
if (unknown !== undefined) throw new Error(`There is no profile "${unknown}".`);

const verdictsIn = (report: Report): string =>
  report.scenarios.map(({ name, verdict }) => `${name} ${verdict}`).join(', ');

const stage = await Stage.open({ headed: false }, console.log);
try {
  const seeds = values.seeds === undefined ? 1 : Number(values.seeds);
  const names = positionals.length > 0 || values.seeds === undefined ? positionals : ['resumable'];
  for (const expected of ROWS) {
    if (names.length > 0 && !names.includes(expected.name)) continue;
    const seen = new Set<string>();
    for (let seed = 1; seed <= seeds; seed += 1) {
      const report = await judgeProfile(expected, stage, {
        seed,
        allowNoCors: expected.blocked === true,
        ...(expected.scenarios && { scenarios: expected.scenarios }),
      });
      const wrong = compareReport(expected, report);
      seen.add(verdictsIn(report));
      const fails = report.scenarios.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name);
      const which = seeds > 1 ? ` seed ${seed}` : '';
      const head = `${wrong.length === 0 ? 'ok  ' : 'FAIL'}  ${(expected.name + which).padEnd(20)} ${report.outcome ?? '–'}`;
      console.log(
        `${head}  ${String(Math.round(report.durationMs / 1000)).padStart(4)} s  ${fails.join(', ') || '–'}`,
      );
      for (const line of wrong) console.log(`      ${line}`);
      if (wrong.length === 0) continue;
      process.exitCode = 1;
      for (const { name, verdict, why } of report.scenarios) console.log(`      ${name} ${verdict}: ${why}`);
    }
    if (seen.size > 1) {
      console.log(`FAIL  ${expected.name}: the seeds do not agree\n      ${[...seen].join('\n      ')}`);
      process.exitCode = 1;
    }
  }
} finally {
  await stage.close();
}
