/** The rounds of `verify:profiles` and the file that keeps them, so that a later run goes on where one stopped. Pure. */
import { isObject, numberField, stringField } from '../../../src/base/json.ts';

/** A line of the file: one profile, judged once. */
export interface Run {
  readonly name: string;
  readonly seed: number;
  /** Only the scenarios that tell the profile's story. */
  readonly own: boolean;
  readonly wrong: readonly string[];
  /** The letter, and the verdict of each scenario: the same in each round. */
  readonly verdicts: string;
}

export interface Job<Row> {
  readonly row: Row;
  readonly seed: number;
}

/** Round after round, so that a profile meets other neighbors each time; without those that the file has. */
export function jobsLeft<Row extends { readonly name: string }>(
  rows: readonly Row[],
  seeds: readonly number[],
  done: readonly Run[],
): readonly Job<Row>[] {
  const isDone = new Set(done.map(({ name, seed }) => `${seed} ${name}`));
  return seeds
    .flatMap((seed) => rows.map((row) => ({ row, seed })))
    .filter(({ row, seed }) => !isDone.has(`${seed} ${row.name}`));
}

/** The runs of a file that belong to these rounds. A line that was cut off by a stop is left out. */
export function readRuns(
  text: string,
  { names, seeds, own }: { names: readonly string[]; seeds: readonly number[]; own: boolean },
): readonly Run[] {
  return text
    .split('\n')
    .flatMap((line) => parseRun(line) ?? [])
    .filter((run) => run.own === own && names.includes(run.name) && seeds.includes(run.seed));
}

function parseRun(line: string): Run | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const [name, verdicts] = [stringField(value, 'name'), stringField(value, 'verdicts')];
  const seed = numberField(value, 'seed');
  if (!isObject(value) || name === undefined || verdicts === undefined || seed === undefined)
    return undefined;
  const wrong = Array.isArray(value['wrong']) ? value['wrong'].map(String) : [];
  return { name, seed, own: value['own'] === true, wrong, verdicts };
}

export interface Tally {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  /** Rounds in which every profile was judged. */
  readonly rounds: number;
  /** Profiles whose rounds don't agree, with what was found. */
  readonly changing: readonly { readonly name: string; readonly verdicts: readonly string[] }[];
}

export function tallyOf(runs: readonly Run[], names: readonly string[], seeds: readonly number[]): Tally {
  const failed = runs.filter(({ wrong }) => wrong.length > 0).length;
  const changing = names.flatMap((name) => {
    const own = runs.filter((run) => run.name === name);
    const verdicts = [...new Set(own.map((run) => run.verdicts))];
    return verdicts.length > 1 ? [{ name, verdicts }] : [];
  });
  const isWhole = (seed: number): boolean =>
    names.every((name) => runs.some((run) => run.name === name && run.seed === seed));
  return {
    runs: runs.length,
    passed: runs.length - failed,
    failed,
    rounds: seeds.filter(isWhole).length,
    changing,
  };
}
