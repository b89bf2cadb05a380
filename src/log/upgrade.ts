/** Stored records climb to the current version one step at a time, so that each step stays small and tested. */
import { isObject, type JsonObject } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { VERSION } from './entry.ts';

/** `STEPS[n]` turns a record of version n into one of version n + 1. */
type Step = (record: JsonObject) => JsonObject;

const STEPS: Readonly<Record<number, Step>> = {
  // Version 1 kept messages as objects, which made storing a burst a matter of cloning trees.
  1: (record) => ({
    ...record,
    ...(Array.isArray(record['entries']) && { entries: record['entries'].map(textOfMessage) }),
  }),
};

export function upgrade(record: unknown): Result<JsonObject, string> {
  if (!isObject(record)) return err('The record is not an object.');
  let current = record;
  for (;;) {
    const version = current['v'];
    if (typeof version !== 'number') return err('The record has no version.');
    if (version === VERSION) return ok(current);
    if (version > VERSION) {
      return err(`The record was stored by a newer Reprise (version ${version}, this one knows ${VERSION}).`);
    }
    const step = STEPS[version];
    if (!step) return err(`No way leads from version ${version} to ${VERSION}.`);
    current = { ...step(current), v: version + 1 };
  }
}

function textOfMessage(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry['message'])) return entry;
  const { message, ...rest } = entry;
  return { ...rest, raw: JSON.stringify(message) };
}
