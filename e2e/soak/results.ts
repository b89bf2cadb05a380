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
  /** Name and version. */
  readonly browser: string;
  /** The commit of the code, where it was told. */
  readonly code?: string;
}

/** Where a trial was run. */
export type RunOn = Pick<Result, 'browser' | 'code'>;

export function resultOf(plan: Plan, performed: Performed, tookMs: number, on: RunOn): Result {
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
    ...on,
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
