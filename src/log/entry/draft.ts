import type { JsonObject } from '../../base/json.ts';
import type { EntryBody } from './entry.ts';
import type { EntryRun } from './entryRun.ts';

/** What is about to become an entry: its number and its time come with the log. */
export interface Draft {
  readonly body: EntryBody;
  /** The parsed message, if the body has one: whoever recorded it has parsed it already. */
  readonly message?: JsonObject;
}

/** What is about to become a run. Its recorder has redacted it. */
export type RunDraft = Omit<EntryRun, 'firstSeq' | 'load' | 'times'>;
