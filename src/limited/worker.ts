/** The worker that runs one job at a time. The page ends it when a job takes too long. */
import { errorMessage } from '../base/format.ts';
import { JOBS, type JobReport, type JobRequest } from './jobs.ts';

declare const self: DedicatedWorkerGlobalScope;

const report = (message: JobReport): void => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<JobRequest>) => {
  report({ name: 'began' });
  try {
    const run: (input: never) => unknown = JOBS[data.name];
    report({ name: 'done', output: run(data.input as never) });
  } catch (error) {
    report({ name: 'failed', why: errorMessage(error) });
  }
});
