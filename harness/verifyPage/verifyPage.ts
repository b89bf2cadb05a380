/** Judges a page: every scenario against every test server, several at a time, and the sum. */
import { VERSION } from '../page/site.ts';
import { SCHEMA_VERSION } from '../report/facts.ts';
import { casesOf, type CaseFilter } from './cases.ts';
import type { PageReport, PageResult } from './facts.ts';
import { gradeOfPage, letterOfPage } from './letter.ts';
import { playCase, type PlayOptions } from './playCase.ts';

export interface VerifyPageOptions extends PlayOptions, CaseFilter {
  readonly workers: number;
  readonly browser: string;
  readonly expectedFailures?: readonly string[] | undefined;
}

export async function verifyPage(
  options: VerifyPageOptions,
  ended: (result: PageResult) => void,
  signal?: AbortSignal,
): Promise<PageReport> {
  const startedAt = new Date();
  const cases = [...casesOf(options).entries()];
  const results: [number, PageResult][] = [];
  const work = async (): Promise<void> => {
    for (let next = cases.shift(); next && signal?.aborted !== true; next = cases.shift()) {
      const [at, given] = next;
      const result = await playCase(options, given);
      results.push([at, result]);
      ended(result);
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  const sorted = results.sort(([a], [b]) => a - b).map(([, result]) => result);
  const tools = Object.keys(options.script.tools ?? {});
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'page',
    page: options.pageUrl,
    browser: options.browser,
    tool: tools.join(', ') || null,
    letter: letterOfPage(sorted) ?? null,
    grade: gradeOfPage(sorted),
    results: sorted,
    ...(options.expectedFailures && { expectedFailures: options.expectedFailures }),
    ...(signal?.aborted === true && { incomplete: 'Stopped.' }),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    seed: options.seed,
    reprise: VERSION,
  };
}

/** For `--expected-failures`: "resumable/reload-twice". */
export const keyOfResult = ({ target, name }: Pick<PageResult, 'target' | 'name'>): string =>
  `${target}/${name}`;
