/** The file of results: what was found about each public server, and what raw HTTP showed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report, ScenarioResult } from '../../../harness/report/facts.ts';
import type { RawFacts } from './rawFacts.ts';

export interface Result {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly language: string;
  readonly sdk: string;
  readonly date: string;
  readonly report: Pick<Report, 'outcome' | 'grade' | 'protocolVersion' | 'withoutCors' | 'tool'> & {
    readonly scenarios: readonly Pick<ScenarioResult, 'name' | 'verdict' | 'why' | 'level' | 'remarks'>[];
  };
  readonly raw: RawFacts;
}

export const RESULTS = join(import.meta.dirname, 'results.json');

export function readResults(path: string): readonly Result[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Result[]) : [];
}

/** In place of an older one of the same name; in the order of the list. */
export function addResult(path: string, result: Result, order: readonly string[]): void {
  const others = readResults(path).filter(({ name }) => name !== result.name);
  const all = [...others, result].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  writeFileSync(path, `${JSON.stringify(all, undefined, 1)}\n`);
}
