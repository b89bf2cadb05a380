/** A server's questions in words: what kind, how long they still wait, and what happens then. */
import { stringField } from '../../base/json.ts';
import { duration } from '../../base/format.ts';
import type { ClosedQuestion, Question } from '../../log/state/question.ts';
import { codeOf } from '../../log/reasons/reason.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { isElicitation } from './questionKind.ts';

/** "cancelled in 9 min" */
export function timeLeft(question: Question, waitMs: number, now: number): string {
  const givenUpAt = question.askedAt + waitMs;
  const expiresAt = question.task?.expiresAt ?? Infinity;
  const leftMs = Math.min(givenUpAt, expiresAt) - now;
  const then = expiresAt <= givenUpAt ? 'expired' : isElicitation(question) ? 'cancelled' : 'declined';
  if (leftMs <= 0) return `timed out, ${then}`;
  const left = duration(Math.ceil(leftMs / 1000) * 1000).replace('.0 s', ' s');
  return then === 'expired' ? `expires in ${left}` : `${then} in ${left}`;
}

/** An address was opened, and the server says by itself when what was begun there is done. */
export function isUndone({ question, reason, completedAt }: ClosedQuestion): boolean {
  return (
    completedAt === undefined &&
    stringField(question.params, 'mode') === 'url' &&
    (codeOf(reason) === 'url-opened' || reasonText(reason).includes('opened'))
  );
}

/** The call that this one was required for can be made again: all that it required is done. */
export function unlocks(
  { question: { via, callId } }: ClosedQuestion,
  closed: readonly ClosedQuestion[],
  open: readonly Question[],
): boolean {
  if (via?.kind !== 'required' || open.some((question) => question.callId === callId)) return false;
  return closed.every(({ question, completedAt }) => question.callId !== callId || completedAt !== undefined);
}
