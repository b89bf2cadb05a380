/** The page's one worker for jobs with a time limit. */
import { systemClock } from '../base/clock.ts';
import { LimitedWorker, type RunLimited } from './limitedWorker.ts';
import workerUrl from './worker.ts?worker&url';

let trustedUrl: string | URL | undefined;

/** The page's policy lets no script be started by its URL, unless a Trusted Types policy made that URL. */
function startWorker(): Worker {
  trustedUrl ??=
    window.trustedTypes
      ?.createPolicy('reprise-limited', { createScriptURL: () => workerUrl })
      .createScriptURL('') ?? workerUrl;
  return new Worker(trustedUrl, { type: 'module', name: 'limited' });
}

/** Runs a job in the worker. Resolves in any case, also where there is no worker. */
export const runLimited: RunLimited = new LimitedWorker({ start: startWorker, clock: systemClock }).run;
