/** Stored records climb to the current version one step at a time, so that each step stays small and tested. */
import { isObject, objectField, type JsonObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { VERSION } from './entry.ts';
import { upgradeRuns } from './upgradeRuns.ts';
import { upgradeEntryReasons, upgradeStateReasons } from './upgradeReasons.ts';

/** `STEPS[n]` turns a record of version n into one of version n + 1. */
type Step = (record: JsonObject) => JsonObject;

const STEPS: Readonly<Record<number, Step>> = {
  // Version 1 kept entries one by one; states have not changed.
  1: ({ entries, ...rest }) => (Array.isArray(entries) ? { ...rest, runs: entries } : rest),
  // Version 3 has more kinds of entries, and tasks and rounds in its states; what was stored before has none.
  2: (record) => record,
  // Version 4 has reasons in the place of sentences.
  3: ({ head, ...rest }) => ({ ...rest, ...(isObject(head) && { head: upgradeStateReasons(head) }) }),
  // Version 5 has the messages of a run in one text.
  4: ({ runs, ...rest }) => ({ ...rest, ...(Array.isArray(runs) && { runs: upgradeRuns(runs) }) }),
};

/** `ENTRY_STEPS[n]` turns an entry of version n into one of version n + 1, in storage and in files. */
const ENTRY_STEPS: Readonly<Record<number, Step>> = {
  // Version 2 asked for nothing but a login, and did not say so.
  2: (entry) => {
    const state = objectField(entry, 'state');
    return state?.['name'] === 'authorizing' ? { ...entry, state: { ask: 'login', ...state } } : entry;
  },
  3: upgradeEntryReasons,
};

/** An entry of a file. */
export function upgradeEntry(entry: JsonObject, version: number): JsonObject {
  let current = entry;
  for (let from = version; from < VERSION; from += 1) current = ENTRY_STEPS[from]?.(current) ?? current;
  return current;
}

export function upgrade(record: unknown): Result<JsonObject, string> {
  if (!isObject(record)) return err('the record isn’t an object');
  let current = record;
  for (;;) {
    const version = current['v'];
    if (typeof version !== 'number') return err('the record has no version');
    if (version === VERSION) return ok(current);
    if (version > VERSION) {
      return err(`saved by a newer version of Reprise (format ${version}; this version supports ${VERSION})`);
    }
    const step = STEPS[version];
    if (!step) return err(`format ${version} can’t be upgraded to ${VERSION}`);
    current = { ...withEntries(step(current), ENTRY_STEPS[version]), v: version + 1 };
  }
}

/** What is packed in runs are messages, which no step has changed yet. */
function withEntries(record: JsonObject, step: Step | undefined): JsonObject {
  const { runs } = record;
  if (!step || !Array.isArray(runs)) return record;
  return { ...record, runs: runs.map((run: unknown) => (isObject(run) ? step(run) : run)) };
}
