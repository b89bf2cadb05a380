/** The numbers of many trials, and how they are told. */
import type { Fate } from './judge.ts';
import type { Result } from './results.ts';

export interface Table {
  readonly browser: string;
  /** Commits of the code, and how many trials of each. */
  readonly code: string;
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
    browser: countsOf(bySeed.map(({ browser }) => browser)),
    code: countsOf(bySeed.map(({ code = 'unknown' }) => code)),
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

/** Such as `1a2b3c4d`, or `1a2b3c4d (12), 5e6f7a8b (30)`. */
function countsOf(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  if (distinct.length < 2) return distinct.join();
  return distinct.map((name) => `${name} (${names.filter((one) => one === name).length})`).join(', ');
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

const ROWS: readonly (readonly [string, (table: Table) => string | number])[] = [
  ['browser', ({ browser }) => browser],
  ['commit', ({ code }) => code],
  ['seeds', ({ seeds }) => seeds],
  ['trials', ({ trials }) => trials],
  ['page deaths', ({ deaths }) => deaths],
  ['faults', ({ faults }) => faults],
  ['calls', ({ calls }) => calls],
  ['calls whole', ({ whole }) => whole],
  ['blind windows', ({ blind }) => blind],
  ['of calls open at a death', ({ blindShare }) => `${(blindShare * PERCENT).toFixed(1)}%`],
  ['not whole, as the server can’t do better', ({ told }) => told],
  ['not run by the server', ({ notRun }) => notRun],
  ['lost', ({ lost }) => lost],
  ['twice', ({ twice }) => twice],
  ['run twice', ({ runTwice }) => runTwice],
  ['wrong or out of order', ({ wrong }) => wrong],
  ['stuck', ({ stuck }) => stuck],
  ['page errors', ({ pageErrors }) => pageErrors],
  ['time to return, median', ({ medianReturnMs }) => `${medianReturnMs} ms`],
  ['time to return, worst', ({ worstReturnMs }) => `${worstReturnMs} ms`],
  ['time of a trial, median', ({ medianTrialMs }) => `${medianTrialMs} ms`],
];

/** As a table of Markdown: a row for each number, and a column for each engine. */
export function tellTables(tables: readonly Table[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['', ...tables.map(() => '')]),
    line(['---', ...tables.map(() => '---')]),
    ...ROWS.map(([name, of]) => line([name, ...tables.map(of)])),
  ].join('\n');
}

const RESULTS = /(<!-- results -->)[^]*(<!-- end -->)/;

/** The page of the docs with this table in the place of the one that it has. */
export function replaceTable(page: string, table: string): string {
  if (!RESULTS.test(page)) throw new Error('The page has no place for results (<!-- results -->).');
  return page.replace(RESULTS, (_, begin: string, end: string) => `${begin}\n\n${table}\n\n${end}`);
}
