/** Who records the logs of this page: the page itself or, if the user wants it, a worker. */
import { Emitter } from '../base/emitter.ts';
import { loadPart } from '../base/loadPart.ts';
import type { FallbackStore } from '../storage/fallbackStore.ts';
import { openLocalLog } from './localLog.ts';
import type { OpenLog } from './serverLog.ts';
import type { RecordedIn } from './workerLogs.ts';

export interface Recorder {
  readonly open: OpenLog;
  readonly recordedIn: RecordedIn;
  /** It's the page now, and was the worker. */
  readonly moved: Emitter<undefined>;
}

const ON_PAGE: Recorder = { open: openLocalLog, recordedIn: { name: 'page' }, moved: new Emitter() };

export async function openRecorder(wantsWorker: boolean, store: FallbackStore): Promise<Recorder> {
  if (!wantsWorker) return ON_PAGE;
  const part = await loadPart(() => import('./openWorkerLogs.ts')).catch(() => undefined);
  if (!part) return { ...ON_PAGE, recordedIn: { name: 'page', end: { why: 'blocked' } } };
  const logs = part.openWorkerLogs(window);
  logs.start();
  // What can't be stored is kept in the memory of the page, and read from there.
  store.onDegraded.on(() => logs.moveHere());
  if (store.degraded) logs.moveHere();
  return logs;
}
