/** Folds entries into a state one by one. An entry that can't be folded counts as malformed and costs only itself. */
import type { JsonObject } from '../../base/json.ts';
import type { Entry } from '../entry/entry.ts';
import type { ServerReducer } from './serverReducer.ts';
import type { Reason } from '../reasons/reason.ts';
import type { Transition } from './transition.ts';

export interface Unfolded {
  readonly entry: Entry;
  /** The parsed form of its `raw`, where it has one. */
  readonly message: JsonObject | undefined;
}

const NOT_PROCESSED: Reason = { code: 'not-processed' };
const EXCERPT_CHARS = 400;

export interface Folded {
  /** As they were folded: a malformed one takes the place of one that can't be. */
  readonly entries: readonly Entry[];
  readonly transitions: readonly Transition[];
}

export function foldAll(state: ServerReducer, unfolded: readonly Unfolded[]): Folded {
  const undo = state.checkpoint();
  const folded: Unfolded[] = [];
  for (const one of unfolded) {
    try {
      state.apply(one.entry, one.message);
      folded.push(one);
    } catch {
      // A fold that stopped half-way is undone, and what came before it is folded again.
      undo();
      for (const { entry, message } of folded) state.apply(entry, message);
      const entry = malformed(one.entry);
      state.apply(entry);
      folded.push({ entry, message: undefined });
    }
  }
  return { entries: folded.map(({ entry }) => entry), transitions: state.takeTransitions() };
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
