/** Records the logs of this page in its dedicated worker. */
import { loadPart } from '../base/loadPart.ts';
import workerUrl from './logWorker.ts?worker&url';
import { WorkerLogs, type HostThread } from './workerLogs.ts';

/** The page's policy lets no script be started by its URL, unless a Trusted Types policy made that URL. */
function startThread(): HostThread {
  const policy = window.trustedTypes?.createPolicy('reprise-log', { createScriptURL: () => workerUrl });
  return new Worker(policy?.createScriptURL('') ?? workerUrl, { type: 'module', name: 'log' });
}

export function openWorkerLogs(page: Window): WorkerLogs {
  const logs = new WorkerLogs({
    start: startThread,
    loadRecorder: () => loadPart(() => import('./recordHere.ts')),
    report: (error) => reportError(error),
    // The service worker that plays the demo serves the page, and maybe not its worker.
    keepsRequest: (url) => new URL(url).origin === page.location.origin,
  });
  logs.start();
  page.addEventListener('pagehide', () => logs.setHere(false));
  page.addEventListener('pageshow', () => logs.setHere(true));
  return logs;
}
