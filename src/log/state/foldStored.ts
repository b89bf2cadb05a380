import type { Entry } from '../entry/entry.ts';
import { messageOf } from '../entry/messageOf.ts';
import { foldAll, type Folded } from './foldAll.ts';
import type { ServerReducer } from './serverReducer.ts';

/** Folds entries that are stored already: they stay as they are, even where the reducer can't use them. */
export function foldStored(state: ServerReducer, entries: readonly Entry[]): Folded {
  return foldAll(
    state,
    entries.map((entry) => ({ entry, message: messageOf(entry) })),
  );
}
