/** Who records the logs of this page: the page itself and, from the first call on, its worker. */
import { Emitter } from '../base/emitter.ts';
import { loadPart } from '../base/loadPart.ts';
import type { RecordedIn } from '../base/recordedIn.ts';
import type { FallbackStore } from '../storage/fallbackStore.ts';
import { openLocalLog } from './localLog.ts';
import { MovableLog } from './movableLog.ts';
import type { LogOptions, OpenLog } from './serverLog.ts';
import type { WorkerLogs } from './workerLogs.ts';

export interface Recorder {
  readonly open: OpenLog;
  readonly recordedIn: RecordedIn;
  /** From the page to the worker, or back. */
  readonly moved: Emitter<undefined>;
}

class PageRecorder implements Recorder {
  readonly moved = new Emitter<undefined>();
  readonly #store: FallbackStore;
  readonly #start: () => Promise<WorkerLogs>;
  #starting: Promise<WorkerLogs> | undefined;
  #recordedIn: RecordedIn = { name: 'page' };

  constructor(store: FallbackStore, start: () => Promise<WorkerLogs>) {
    this.#store = store;
    this.#start = start;
  }

  get recordedIn(): RecordedIn {
    return this.#recordedIn;
  }

  readonly open: OpenLog = (options) =>
    new MovableLog(openLocalLog(options), (log) => void this.#move(log, options));

  async #move(log: MovableLog, options: LogOptions): Promise<void> {
    // What can't be stored is kept in the memory of the page, and read from there.
    if (this.#store.degraded) return;
    try {
      const logs = await (this.#starting ??= this.#begin());
      await logs.ready;
      this.#tell(logs.recordedIn);
      if (logs.recordedIn.name === 'worker') await log.moveTo((handed) => logs.open(options, handed));
    } catch {
      this.#tell({ name: 'page', end: { why: 'blocked' } });
    }
  }

  async #begin(): Promise<WorkerLogs> {
    const logs = await this.#start();
    logs.moved.on(() => this.#tell(logs.recordedIn));
    this.#store.onDegraded.on(() => logs.moveHere());
    if (this.#store.degraded) logs.moveHere();
    return logs;
  }

  #tell(recordedIn: RecordedIn): void {
    this.#recordedIn = recordedIn;
    this.moved.emit(undefined);
  }
}

export const openRecorder = (store: FallbackStore): Recorder =>
  new PageRecorder(store, async () =>
    (await loadPart(() => import('./openWorkerLogs.ts'))).openWorkerLogs(window),
  );
