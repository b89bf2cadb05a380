/** For a page without workers, such as a log that was exported as a file: only what the reader typed is run, in the page. */
import { errorMessage } from '../base/format.ts';
import type { RunLimited } from './limitedWorker.ts';
import { matchTexts } from './matchTexts.ts';

export const runLimited: RunLimited = (name, input) => {
  // What a server sent could take for ever, and nothing here could end it.
  if (name !== 'matchTexts') return Promise.resolve({ name: 'failed', why: 'No worker here.' });
  try {
    // The output of a job is typed by its name.
    const run = matchTexts as (input: unknown) => never;
    return Promise.resolve({ name: 'done', value: run(input) });
  } catch (error) {
    return Promise.resolve({ name: 'failed', why: errorMessage(error) });
  }
};
