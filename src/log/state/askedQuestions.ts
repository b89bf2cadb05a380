/** What a server has asked, as a fold: what waits for an answer, and the newest that ended without a person's. */
import { objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { ClosedQuestion, Question } from './question.ts';
import type { Reason } from '../reasons/reason.ts';
import { completedAddresses } from '../protocol/requiredAddresses.ts';

const KEPT_CLOSED = 20;

/** How a question ended, if not simply by an answer. */
export interface Because {
  readonly reason?: Reason;
}

const CALL_ENDED: Because = { reason: { code: 'call-ended' } };

export class AskedQuestions extends Map<string, Question> {
  /** An inbox that only emptied would hide why. */
  closed: readonly ClosedQuestion[];

  constructor(open: readonly Question[], closed: readonly ClosedQuestion[] = []) {
    super(open.map((question) => [question.id, question]));
    this.closed = closed;
  }

  isAskedBy(callId: string): boolean {
    return [...this.values()].some((question) => question.callId === callId);
  }

  /** Takes away what a call asked inside of its answers and asks no more; requests of the server's own stay. */
  takeInAnswers(callId: string, stay: readonly Question[]): readonly Question[] {
    const gone = [...this.values()].filter(
      ({ id, callId: owner, via }) => via && owner === callId && !stay.some((question) => question.id === id),
    );
    for (const { id } of gone) this.delete(id);
    return gone;
  }

  /** An answer is on its way. */
  answering(id: string, answering: NonNullable<Question['answering']>): void {
    const question = this.get(id);
    if (question) this.set(id, { ...question, answering });
  }

  /** The server polls for the answer from here on. */
  becomeTask(id: string, task: NonNullable<Question['task']>): Question | undefined {
    const question = this.get(id);
    if (question) this.set(id, { ...question, task });
    return question;
  }

  /** @returns the question, if it was open; with a reason it is told how it ended */
  close(id: string, at: number, { reason }: Because = {}): Question | undefined {
    const question = this.get(id);
    if (!question) return undefined;
    this.delete(id);
    if (reason) this.closed = [...this.closed, { question, at, reason }].slice(-KEPT_CLOSED);
    return question;
  }

  /** @returns what was open; a task outlives the call that it was asked in */
  closeOf(callId: string, at: number): readonly Question[] {
    const closed = [...this.values()].filter((one) => one.callId === callId && !one.task);
    for (const { id, answering } of closed) this.close(id, at, answering ?? CALL_ENDED);
    return closed;
  }

  /** A person says that what was begun at its address is done. */
  completeByHand(id: string, at: number): void {
    this.closed = this.closed.map((one) =>
      one.question.id === id && one.completedAt === undefined
        ? { ...one, completedAt: at, completedBy: 'you' }
        : one,
    );
  }

  /**
   * `notifications/elicitation/complete` names the URL mode elicitation that is done.
   * @returns the IDs of those that were open: the user may have gone there by another way than this page
   */
  complete(message: JsonObject, at: number): readonly string[] {
    const closed = [...completedAddresses(this.values(), message)].map((question) => question.id);
    for (const id of closed) this.close(id, at, { reason: { code: 'user-completed' } });
    const id = stringField(objectField(message, 'params'), 'elicitationId');
    if (id === undefined) return closed;
    this.closed = this.closed.map((one) =>
      stringField(one.question.params, 'elicitationId') === id
        ? { ...withoutEnd(one), completedAt: at }
        : one,
    );
    return closed;
  }
}

/** The server's word counts more than the user's. */
function withoutEnd({ completedAt: _, completedBy: __, ...closed }: ClosedQuestion): ClosedQuestion {
  return closed;
}
