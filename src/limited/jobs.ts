/** The work that a server's data can make endless, as pure functions of plain data. Runs in the worker. */
import type { Token } from 'marked';
import { checkValue, type Check } from './checkValue.ts';
import { readMarkdown } from './readMarkdown.ts';

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** The text must not match. */
  readonly not: boolean;
}

export const JOBS = {
  checkValue: ({ schema, value }: { readonly schema: unknown; readonly value: unknown }): Check =>
    checkValue(schema, value),

  readMarkdown: ({ text }: { readonly text: string }): readonly Token[] | undefined => readMarkdown(text),

  /** For each text: do all of the patterns hold? */
  matchTexts: ({ patterns, texts }: MatchTexts): readonly boolean[] => {
    const tests = patterns.map(({ source, flags, not }) => ({
      // With these flags, each test would begin where the one before it ended.
      regex: new RegExp(source, flags.replace(/[gy]/g, '')),
      not,
    }));
    return texts.map((text) => tests.every(({ regex, not }) => regex.test(text) !== not));
  },
};

export interface MatchTexts {
  readonly patterns: readonly Pattern[];
  readonly texts: readonly string[];
}

export type JobName = keyof typeof JOBS;
export type JobInput<N extends JobName> = Parameters<(typeof JOBS)[N]>[0];
export type JobOutput<N extends JobName> = ReturnType<(typeof JOBS)[N]>;

/** What the page sends. */
export interface JobRequest {
  readonly name: JobName;
  readonly input: unknown;
}

/** What the worker sends back: first that it has begun, then how it ended. */
export type JobReport =
  | { readonly name: 'began' }
  | { readonly name: 'done'; readonly output: unknown }
  | { readonly name: 'failed'; readonly why: string };
