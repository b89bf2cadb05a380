/** Results of calls of earlier pages: they stand in the log, and are read back when somebody may look at them. */
import type { Call } from '../../log/state/call.ts';
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { messageOf } from '../../log/entry/messageOf.ts';
import type { RestoredIndex } from '../../storage/logReader.ts';

export interface EarlierResultsOptions {
  readonly log: ServerLog;
  readonly segments: () => RestoredIndex['segments'];
  readonly readEntry: (seq: number) => Promise<Entry | undefined>;
}

/** How many results a page may hold. */
export interface ResultLimit {
  readonly calls: number;
  readonly sizeBytes: number;
}

export class EarlierResults {
  readonly #options: EarlierResultsOptions;

  constructor(options: EarlierResultsOptions) {
    this.#options = options;
  }

  /** Gives a call its result back, if it is still in the log. */
  async load(callId: string): Promise<void> {
    const { log, readEntry } = this.#options;
    const call = log.state.calls.get(callId);
    if (!call || !lacksResult(call)) return;
    const entry = log.tail.find(({ seq }) => seq === call.resultSeq) ?? (await readEntry(call.resultSeq));
    await log.attachResult(callId, entry && messageOf(entry));
  }

  /** The newest ones, as many as a page may hold. */
  async loadNewest(limit: ResultLimit): Promise<void> {
    let { sizeBytes } = limit;
    const newest = [...this.#options.log.state.calls.values()]
      .reverse()
      .filter(lacksResult)
      .slice(0, limit.calls);
    for (const { id, resultSeq } of newest) {
      const segment = this.#options
        .segments()
        .find(({ first, last }) => first <= resultSeq && resultSeq <= last);
      sizeBytes -= segment?.sizeBytes ?? 0;
      if (sizeBytes < 0) return;
      await this.load(id);
    }
  }
}

function lacksResult(call: Call): call is Call & { resultSeq: number } {
  if (call.resultRemovedAt !== undefined) return false;
  return call.resultSeq !== undefined && call.result === undefined && call.error === undefined;
}
