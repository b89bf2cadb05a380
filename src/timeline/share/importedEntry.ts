/** An entry of a file, checked by the fields of its kind before it is used: a file may come from anywhere. */
import { asText } from '../../base/asText.ts';
import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { isEntryKind } from '../../log/entry/entryKinds.ts';
import { FILE_KINDS } from './entryKinds.ts';
import { count, readFields, text, time, type Fields } from './fieldTypes.ts';

const STAMP: Fields = { seq: count, at: time, load: count, kind: text };

export function importedEntry(value: unknown): Result<Entry, string> {
  if (!isObject(value)) return err('not an object');
  const stamp = readFields(value, STAMP);
  if (!stamp.ok) return err(stamp.error);
  const kind = asText(stamp.value['kind']);
  if (!isEntryKind(kind)) return err(`unknown kind “${kind.slice(0, 40)}”`);
  const body = readFields(value, FILE_KINDS[kind].fields);
  if (!body.ok) return err(body.error);
  const { message, ...rest } = body.value;
  const raw = message === undefined ? {} : { raw: JSON.stringify(message) };
  const entry: object = { ...stamp.value, ...rest, ...raw };
  // Every field was checked above.
  return ok(entry as Entry);
}
