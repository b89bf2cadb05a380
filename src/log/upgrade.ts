/** Stored records climb to the current version one step at a time, so that each step stays small and tested. */
import { isObject, type JsonObject } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { VERSION, type Entry } from './entry.ts';
import { packEntries } from './runs.ts';

/** `STEPS[n]` turns a record of version n into one of version n + 1. */
type Step = (record: JsonObject) => JsonObject;

const STEPS: Readonly<Record<number, Step>> = {
  // Version 1 kept entries one by one; heads have not changed.
  1: ({ entries, ...rest }) =>
    Array.isArray(entries) ? { ...rest, runs: packEntries(entries as Entry[]) } : rest,
  // Version 3 has more kinds of entries, and tasks and rounds in its heads; what was stored before has none.
  2: (record) => record,
};

export function upgrade(record: unknown): Result<JsonObject, string> {
  if (!isObject(record)) return err('the record is not an object');
  let current = record;
  for (;;) {
    const version = current['v'];
    if (typeof version !== 'number') return err('the record has no version');
    if (version === VERSION) return ok(current);
    if (version > VERSION) {
      return err(`it was stored by a newer Reprise, version ${version}; this one knows ${VERSION}`);
    }
    const step = STEPS[version];
    if (!step) return err(`no way leads from version ${version} to ${VERSION}`);
    current = { ...step(current), v: version + 1 };
  }
}
