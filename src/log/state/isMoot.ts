/**
 * Whoever ends a call or a question may not know yet that it has ended. The one who folds knows, and only the first end is
 * recorded.
 */
import type { CallChange, EntryBody, QuestionChange } from '../entry/entry.ts';
import { isOpen } from './call.ts';
import type { ServerState } from './serverState.ts';

const CALL_ENDS: ReadonlySet<CallChange['name']> = new Set([
  'failed',
  'cancelled',
  'lost',
  'unknown',
  'expired',
]);
/** An answer is known to have arrived, whatever became of its question. */
const QUESTION_ENDS: ReadonlySet<QuestionChange['name']> = new Set(['expired', 'cancelled']);

export function isMoot(body: EntryBody, { calls, questions }: ServerState): boolean {
  switch (body.kind) {
    case 'call': {
      const call = calls.get(body.callId);
      return CALL_ENDS.has(body.change.name) && call !== undefined && !isOpen(call);
    }
    case 'question':
      return QUESTION_ENDS.has(body.change.name) && !questions.has(body.requestId);
    default:
      return false;
  }
}
