/** The work that a server's data can make endless, as pure functions of plain data. Runs in the worker. */
import type { Token } from 'marked';
import { checkValue, type Check } from './checkValue.ts';
import { matchTexts } from './matchTexts.ts';
import { readMarkdown } from './readMarkdown.ts';

export const JOBS = {
  checkValue: ({ schema, value }: { readonly schema: unknown; readonly value: unknown }): Check =>
    checkValue(schema, value),

  readMarkdown: ({ text }: { readonly text: string }): readonly Token[] | undefined => readMarkdown(text),

  matchTexts,
};

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
