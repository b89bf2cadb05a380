/** What was given up with a session, until the page is connected again: a reload in between doesn't hide the cost. */
import type { ConnectionState } from './connectionState.ts';
import type { Entry } from '../entry/entry.ts';
import type { Reason } from '../reasons/reason.ts';

/** By their IDs. */
export interface GivenUp {
  readonly calls: readonly string[];
  readonly questions: readonly string[];
}

export const NOTHING_GIVEN_UP: GivenUp = { calls: [], questions: [] };

export function foldGivenUp(before: GivenUp, entry: Entry): GivenUp {
  switch (entry.kind) {
    case 'state':
      return isOver(entry.state) ? NOTHING_GIVEN_UP : before;
    case 'call': {
      const { callId, change } = entry;
      const isLost = change.name === 'lost' || change.name === 'unknown';
      return isLost && endedWithSession(change.reason)
        ? { ...before, calls: [...before.calls, callId] }
        : before;
    }
    case 'received':
      // A result that arrives late.
      return entry.method === undefined && before.calls.some((id) => id === entry.callId)
        ? { ...before, calls: before.calls.filter((id) => id !== entry.callId) }
        : before;
    case 'question': {
      const { requestId, change } = entry;
      return change.name === 'expired' && change.reason.so === 'answer-not-awaited'
        ? { ...before, questions: [...before.questions, requestId] }
        : before;
    }
    default:
      return before;
  }
}

/** The return that it belongs to has ended, well or not. */
function isOver({ name }: ConnectionState): boolean {
  return name !== 'reconnecting' && name !== 'authorizing';
}

function endedWithSession({ code, so }: Reason): boolean {
  return code === 'old-sse' || so === 'result-unreachable';
}
