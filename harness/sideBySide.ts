/** Runs scenarios that don't disturb each other at the same time, and those again alone whose verdict may be due to that. */
import type { Cause } from './judge/causes.ts';
import { isOverturned, needsQuiet, settleAlone } from './judge/confirm.ts';
import type { ScenarioResult } from './report/facts.ts';

export interface Lanes<Job> {
  readonly workers: number;
  readonly run: (job: Job) => Promise<ScenarioResult>;
  /** Says that this result counts. */
  readonly ended: (result: ScenarioResult) => void;
  /** Nothing more is started, and what still runs counts as it ends. */
  readonly isOver: () => boolean;
}

export async function sideBySide<Job>(jobs: readonly Job[], lanes: Lanes<Job>): Promise<void> {
  const waiting = [...jobs];
  const confirmed = new Set<Cause>();
  let { workers } = lanes;
  while (waiting.length > 0 && !lanes.isOver()) {
    const doubtful = await untilDoubt(waiting, workers, lanes, confirmed);
    for (const { job, beside } of doubtful) {
      if (lanes.isOver() || !needsQuiet(beside, confirmed)) {
        lanes.ended(beside);
        continue;
      }
      const alone = await lanes.run(job);
      if (alone.verdict === 'fail' && alone.cause !== undefined) confirmed.add(alone.cause);
      // Such a server would let most of them be run twice.
      if (isOverturned(beside, alone)) workers = 1;
      lanes.ended(settleAlone(beside, alone));
    }
  }
}

interface Doubtful<Job> {
  readonly job: Job;
  readonly beside: ScenarioResult;
}

/** Starts no more when a result is in doubt, so that it can be looked into as soon as the others have ended. */
async function untilDoubt<Job>(
  waiting: Job[],
  workers: number,
  { run, ended, isOver }: Lanes<Job>,
  confirmed: ReadonlySet<Cause>,
): Promise<readonly Doubtful<Job>[]> {
  const doubtful: Doubtful<Job>[] = [];
  const isAlone = Math.min(workers, waiting.length) === 1;
  const lane = async (): Promise<void> => {
    while (doubtful.length === 0 && !isOver()) {
      const job = waiting.shift();
      if (job === undefined) return;
      const result = await run(job);
      if (!isAlone && !isOver() && needsQuiet(result, confirmed)) doubtful.push({ job, beside: result });
      else ended(result);
    }
  };
  await Promise.all(Array.from({ length: workers }, lane));
  return doubtful;
}
