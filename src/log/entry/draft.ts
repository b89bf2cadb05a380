import type { JsonObject } from '../../base/json.ts';
import type { EntryBody } from './entry.ts';

/** What is about to become an entry: its number and its time come with the log. */
export interface Draft {
  readonly body: EntryBody;
  /** The parsed message, if the body has one: whoever recorded it has parsed it already. */
  readonly message?: JsonObject;
}
