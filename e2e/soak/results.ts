/** The result of each trial is a line of a file, by its seed: slices add to it, and the table is made of all of them. */
import { appendFile, readFile } from 'node:fs/promises';
import { FATES, type Fate } from './judge.ts';
import type { Performed } from './perform.ts';
import type { Death, FaultName, Plan } from './plan.ts';

export interface Result {
  readonly seed: number;
  readonly server: string;
  readonly deaths: readonly Death[];
  readonly faults: readonly FaultName[];
  readonly fates: Readonly<Partial<Record<Fate, number>>>;
  readonly openAtDeath: number;
  readonly returnMs: readonly number[];
  readonly pageErrors: number;
  readonly problems: readonly string[];
  readonly tookMs: number;
}

export function resultOf(plan: Plan, performed: Performed, tookMs: number): Result {
  const { steps, seed, server } = plan;
  const { verdict } = performed;
  const fates = FATES.flatMap((fate): [Fate, number][] => {
    const count = verdict.calls.filter((call) => call.fate === fate).length;
    return count === 0 ? [] : [[fate, count]];
  });
  return {
    seed,
    server,
    deaths: steps.flatMap((step) => (step.kind === 'death' ? [step.death] : [])),
    faults: steps.flatMap((step) => (step.kind === 'fault' ? [step.fault] : [])),
    fates: Object.fromEntries(fates),
    openAtDeath: performed.openAtDeath,
    returnMs: performed.returnMs,
    pageErrors: performed.trial.pageErrors.length,
    problems: verdict.problems,
    tookMs,
  };
}

export async function readResults(file: string): Promise<readonly Result[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap(parseLine);
}

/** An interrupted run may have left half a line. */
function parseLine(line: string): readonly Result[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Result];
  } catch {
    return [];
  }
}

export async function appendResult(file: string, result: Result): Promise<void> {
  await appendFile(file, `${JSON.stringify(result)}\n`);
}

export interface Table {
  readonly trials: number;
  readonly seeds: string;
  readonly deaths: number;
  readonly faults: number;
  readonly calls: number;
  readonly whole: number;
  readonly blind: number;
  /** Of the calls that were open when a page died. */
  readonly blindShare: number;
  readonly told: number;
  readonly notRun: number;
  readonly lost: number;
  readonly twice: number;
  readonly runTwice: number;
  readonly wrong: number;
  readonly stuck: number;
  readonly pageErrors: number;
  readonly medianReturnMs: number;
  readonly worstReturnMs: number;
  readonly medianTrialMs: number;
}

/** A seed that was run more than once counts once, by its last result. */
export function lastOfEachSeed(results: readonly Result[]): readonly Result[] {
  return [...new Map(results.map((result) => [result.seed, result])).values()];
}

export function tableOf(results: readonly Result[]): Table {
  const bySeed = lastOfEachSeed(results);
  const sum = (of: (result: Result) => number) => bySeed.reduce((all, result) => all + of(result), 0);
  const fate = (name: Fate) => sum(({ fates }) => fates[name] ?? 0);
  const returns = bySeed.flatMap(({ returnMs }) => returnMs);
  const openAtDeath = sum((result) => result.openAtDeath);
  return {
    trials: bySeed.length,
    seeds: rangesOf(bySeed.map(({ seed }) => seed)),
    deaths: sum(({ deaths }) => deaths.length),
    faults: sum(({ faults }) => faults.length),
    calls: sum(({ fates }) => Object.values(fates).reduce((all, count) => all + count, 0)),
    whole: fate('whole'),
    blind: fate('blind'),
    blindShare: openAtDeath === 0 ? 0 : fate('blind') / openAtDeath,
    told: fate('told'),
    notRun: fate('not-run'),
    lost: fate('lost'),
    twice: fate('twice'),
    runTwice: fate('run-twice'),
    wrong: fate('wrong'),
    stuck: sum(({ problems }) => problems.filter((problem) => problem.startsWith('stuck')).length),
    pageErrors: sum((result) => result.pageErrors),
    medianReturnMs: median(returns),
    worstReturnMs: Math.max(0, ...returns),
    medianTrialMs: median(bySeed.map(({ tookMs }) => tookMs)),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Such as `1–300, 1000–1042`. */
export function rangesOf(seeds: readonly number[]): string {
  const sorted = [...new Set(seeds)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const seed of sorted) {
    const last = ranges.at(-1);
    if (last && last[1] === seed - 1) last[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

const PERCENT = 100;

/** As a table of Markdown, one row for each number. */
export function tellTable(table: Table): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ['trials', table.trials],
    ['seeds', table.seeds],
    ['page deaths', table.deaths],
    ['faults', table.faults],
    ['calls', table.calls],
    ['calls whole', table.whole],
    [
      'blind windows',
      `${table.blind} (${(table.blindShare * PERCENT).toFixed(1)} % of calls open at a death)`,
    ],
    ['not whole, as the server can’t do better', table.told],
    ['not run by the server', table.notRun],
    ['lost', table.lost],
    ['twice', table.twice],
    ['run twice', table.runTwice],
    ['wrong or out of order', table.wrong],
    ['stuck', table.stuck],
    ['page errors', table.pageErrors],
    ['time to return, median', `${table.medianReturnMs} ms`],
    ['time to return, worst', `${table.worstReturnMs} ms`],
    ['time of a trial, median', `${table.medianTrialMs} ms`],
  ];
  return ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
