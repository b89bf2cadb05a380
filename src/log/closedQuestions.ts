/** The newest questions that ended without a person's answer: an inbox that only emptied would hide why. */
import { objectField, stringField, type JsonObject } from '../base/json.ts';
import type { ClosedQuestion } from './question.ts';

const KEPT = 20;

export function addClosed(
  closed: readonly ClosedQuestion[],
  added: ClosedQuestion,
): readonly ClosedQuestion[] {
  return [...closed, added].slice(-KEPT);
}

export function completeByHand(
  closed: readonly ClosedQuestion[],
  id: string,
  at: number,
): readonly ClosedQuestion[] {
  return closed.map((one) =>
    one.question.id === id && one.completedAt === undefined
      ? { ...one, completedAt: at, completedBy: 'you' }
      : one,
  );
}

/** `notifications/elicitation/complete` names the URL mode elicitation that is done. */
export function completeClosed(
  closed: readonly ClosedQuestion[],
  message: JsonObject,
  at: number,
): readonly ClosedQuestion[] {
  const id = stringField(objectField(message, 'params'), 'elicitationId');
  if (id === undefined) return closed;
  return closed.map((one) =>
    stringField(one.question.params, 'elicitationId') === id
      ? { question: one.question, at: one.at, why: one.why, completedAt: at }
      : one,
  );
}
