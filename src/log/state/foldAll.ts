/** Folds entries and runs in their order. An entry that can't be folded counts as malformed, and costs only itself. */
import type { JsonObject } from '../../base/json.ts';
import type { Entry } from '../entry/entry.ts';
import { entriesOf, type EntryRun, type Packed } from '../entry/entryRun.ts';
import { messageOf } from '../entry/messageOf.ts';
import type { Reason } from '../reasons/reason.ts';
import type { ServerReducer } from './serverReducer.ts';
import type { Transition } from './transition.ts';

/** `message`: the parsed form of the entry's `raw`, where it has one. */
export type Unfolded =
  | { readonly entry: Entry; readonly message: JsonObject | undefined }
  | { readonly run: EntryRun };

const NOT_PROCESSED: Reason = { code: 'not-processed' };
const EXCERPT_CHARS = 400;

export interface Folded {
  /** As they were folded: a malformed one takes the place of one that can't be. */
  readonly packed: readonly Packed[];
  readonly transitions: readonly Transition[];
}

export function foldAll(state: ServerReducer, unfolded: readonly Unfolded[]): Folded {
  const undo = state.checkpoint();
  const folded: Unfolded[] = [];
  const fold = (one: Unfolded): void => {
    try {
      apply(state, one);
      folded.push(one);
    } catch {
      // A fold that stopped half-way is undone, and what came before it is folded again.
      undo();
      for (const before of folded) apply(state, before);
      if ('run' in one) for (const entry of entriesOf(one.run)) fold({ entry, message: messageOf(entry) });
      else {
        const instead = { entry: malformed(one.entry), message: undefined };
        apply(state, instead);
        folded.push(instead);
      }
    }
  };
  for (const one of unfolded) fold(one);
  const packed = folded.map((one) => ('run' in one ? one.run : one.entry));
  return { packed, transitions: state.takeTransitions() };
}

function apply(state: ServerReducer, one: Unfolded): void {
  if ('run' in one) state.applyRun(one.run);
  else state.apply(one.entry, one.message);
}

function malformed(entry: Entry): Entry {
  const { seq, at, load } = entry;
  if (!('stream' in entry)) return { seq, at, load, kind: 'note', level: 'error', reason: NOT_PROCESSED };
  return {
    seq,
    at,
    load,
    kind: 'malformed',
    stream: entry.stream,
    ...('eventId' in entry && entry.eventId !== undefined && { eventId: entry.eventId }),
    ...(entry.callId !== undefined && { callId: entry.callId }),
    reason: NOT_PROCESSED,
    excerpt: 'raw' in entry ? entry.raw.slice(0, EXCERPT_CHARS) : '',
  };
}
