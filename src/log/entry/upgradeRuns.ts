/** Runs of version 2 to 4, which had a column of texts: now they have one text, and hold only what counts. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Entry } from './entry.ts';
import { packEntries } from './packedEntries.ts';

/** What isn't as it should be stays as it is, and is found out where records are checked. */
export function upgradeRuns(runs: readonly unknown[]): readonly unknown[] {
  if (!runs.every((run) => isObject(run) && (!('shape' in run) || isOldRun(run)))) return runs;
  return packEntries(runs.flatMap((run) => (isOldRun(run) ? entriesOf(run) : [run as Entry])));
}

interface OldRun {
  readonly shape: JsonObject;
  readonly firstSeq: number;
  readonly at: readonly number[];
  readonly eventId: readonly (string | undefined)[];
  readonly raw: readonly string[];
}

function isOldRun(run: unknown): run is OldRun {
  return (
    isObject(run) &&
    isObject(run['shape']) &&
    typeof run['firstSeq'] === 'number' &&
    ['at', 'eventId', 'raw'].every((name) => Array.isArray(run[name]))
  );
}

function entriesOf({ shape, firstSeq, at, eventId, raw }: OldRun): readonly Entry[] {
  return raw.map((text, i) => {
    const id = eventId[i];
    const stamp = { seq: firstSeq + i, at: at[i] ?? 0 };
    return { ...stamp, ...shape, ...(id !== undefined && { eventId: id }), raw: text } as Entry;
  });
}
