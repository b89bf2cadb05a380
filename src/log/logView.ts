/** A log as it is read: what a tab shows is drawn from this alone. */
import type { Emitter } from '../base/emitter.ts';
import type { Entry } from './entry/entry.ts';
import type { EntryBatch } from './entry/entryBatch.ts';
import type { ServerState } from './state/serverState.ts';
import type { Transition } from './state/transition.ts';

export interface LogView {
  readonly server: string;
  readonly appended: Emitter<EntryBatch>;
  /** What the entries that were just appended have changed. */
  readonly changed: Emitter<readonly Transition[]>;
  /** Folded from the entries; only an entry changes it. It has what was last emitted, and may be behind the recorder. */
  readonly state: ServerState;
  /** The newest entries. */
  readonly tail: readonly Entry[];
}
