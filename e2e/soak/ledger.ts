/** What the server has run and sent, written by the tool itself: the judge believes this, and not the page. */
import { z } from 'zod';
import { viewUri } from '../../targets/apps/appTools.ts';
import { pause } from '../../targets/core/pause.ts';
import { acceptedForm, formRequest, textResult } from '../../targets/core/toolContext.ts';
import { defineTool, type ToolDefinition } from '../../targets/core/toolTable.ts';

export interface Run {
  /** Which call of the plan. */
  readonly key: string;
  readonly startedAt: number;
  readonly sent: readonly { readonly text: string; readonly at: number }[];
  readonly answers: readonly string[];
  /** `asked`: the answers come with a new request, which runs the tool from its start. */
  readonly end?: { readonly how: 'done' | 'stopped' | 'asked'; readonly text: string; readonly at: number };
}

export const WORK = 'work';

/** Characters of two, three and four bytes: a cut between them must not spoil the text. */
const messageOf = (key: string, run: string, tick: number): string => `${key}/${run}/${tick} é進𝄞`;
const resultOf = (key: string, run: string, answers: readonly string[]): string =>
  `${key}/${run}/done ${answers.join(' ')} é進𝄞`;

interface Writing {
  key: string;
  startedAt: number;
  sent: { text: string; at: number }[];
  answers: string[];
  end?: NonNullable<Run['end']>;
}

export class Ledger {
  readonly #runs: Writing[] = [];

  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** A tool that takes its time, tells of its progress, and may ask in the middle. */
  tool({ hasView = false } = {}): ToolDefinition {
    return defineTool({
      name: WORK,
      title: 'Work',
      description: 'Takes its time.',
      taskSupport: 'optional',
      input: z.object({
        key: z.string(),
        ticks: z.number().int(),
        everyMs: z.number().int(),
        asks: z.boolean(),
      }),
      ...(hasView && { meta: { ui: { resourceUri: viewUri('dashboard') } } }),
      run: async ({ key, ticks, everyMs, asks }, context) => {
        const run: Writing = { key, startedAt: Date.now(), sent: [], answers: [] };
        this.#runs.push(run);
        const name = crypto.randomUUID().slice(0, 4);
        const end = (how: NonNullable<Run['end']>['how'], text: string) =>
          (run.end = { how, text, at: Date.now() });
        try {
          for (let tick = 1; tick <= ticks; tick += 1) {
            await pause(everyMs, context.signal);
            const text = messageOf(key, name, tick);
            await context.progress(tick, ticks, text);
            run.sent.push({ text, at: Date.now() });
            if (asks && tick === Math.ceil(ticks / 2)) {
              const { reply } = await context.ask({ reply: formRequest(key, FORM) });
              run.answers.push(String(acceptedForm(reply)?.['answer']));
            }
          }
        } catch (error) {
          const isAsking = error instanceof Error && error.name === 'InputNeeded';
          end(isAsking ? 'asked' : 'stopped', String(error));
          throw error;
        }
        const text = resultOf(key, name, run.answers);
        end('done', text);
        return textResult(text);
      },
    });
  }
}

const FORM = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
