/** What `verify-page` has found out, as data. Types only. */
import type { SCHEMA_VERSION, Verdict, Waterfall } from '../report/facts.ts';
import type { ClientRule } from '../wire/names.ts';
import type { Level } from '../wire/judge.ts';
import type { Letter } from './cases.ts';

export interface PageFinding {
  readonly rule: ClientRule;
  readonly level: Level;
  readonly clause?: string;
  readonly expected: string;
  readonly received: string;
  readonly fix: string;
  /** In lines. */
  readonly exchange?: string;
}

export interface PageResult {
  readonly target: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** Not there if no call was interrupted. */
  readonly letter?: Letter;
  readonly best: readonly Letter[];
  readonly why: string;
  /** Distinct messages that the server sent, and how many of them a page has. */
  readonly sent?: number;
  readonly received?: number;
  readonly replayed?: number;
  readonly runs?: number;
  /** Counted by the test server itself: runs of tools, and sessions that were started. */
  readonly counted?: { readonly calls: number; readonly initializes: number };
  /** From the new page to its first request about the call. */
  readonly resumedMs?: number;
  readonly findings: readonly PageFinding[];
  readonly waterfall?: Waterfall;
  readonly durationMs: number;
}

export interface PageReport {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly kind: 'page';
  readonly page: string;
  readonly browser: string;
  readonly tool: string | null;
  readonly letter: Letter | null;
  readonly grade: string;
  readonly results: readonly PageResult[];
  readonly expectedFailures?: readonly string[];
  readonly incomplete?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly reprise: string;
}
