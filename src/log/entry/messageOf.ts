import { isObject, type JsonObject } from '../../base/json.ts';
import type { Entry } from './entry.ts';
import { carriesMessage } from './entryKinds.ts';

/** The JSON-RPC message of an entry, parsed; nothing where its text is no JSON object. */
export function messageOf(entry: Entry): JsonObject | undefined {
  if (!carriesMessage(entry)) return undefined;
  try {
    const message: unknown = JSON.parse(entry.raw);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
