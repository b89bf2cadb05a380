/** What a server has asked, as a fold: what waits for an answer, and the newest that ended without a person's. */
import { objectField, stringField, type JsonObject } from '../base/json.ts';
import type { ClosedQuestion, Question } from './question.ts';
import type { Reason } from './reason.ts';
import { completedAddresses } from './requiredAddresses.ts';

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

  addAll(questions: readonly Question[]): void {
    for (const question of questions) if (!this.has(question.id)) this.set(question.id, question);
  }

  /** Replaces what a call asked inside its answers; requests of the server's own are another matter. */
  replaceInAnswers(callId: string, questions: readonly Question[]): void {
    for (const { id, callId: owner, via } of this.values()) {
      const goesOn = questions.some((question) => question.id === id);
      if (via && owner === callId && !goesOn) this.delete(id);
    }
    this.addAll(questions);
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

  /** Its call has ended, and nobody waits for an answer. A task outlives the call that it was asked in. */
  closeOf(callId: string, at: number): void {
    for (const { id, callId: owner, answering, task } of [...this.values()]) {
      if (owner !== callId || task) continue;
      this.close(id, at, answering ?? CALL_ENDED);
    }
  }

  /** A person says that what was begun at its address is done. */
  completeByHand(id: string, at: number): void {
    this.closed = this.closed.map((one) =>
      one.question.id === id && one.completedAt === undefined
        ? { ...one, completedAt: at, completedBy: 'you' }
        : one,
    );
  }

  /** `notifications/elicitation/complete` names the URL mode elicitation that is done. */
  complete(message: JsonObject, at: number): void {
    // Somebody may have gone there by another way than this page.
    for (const { id } of completedAddresses(this.values(), message)) {
      this.close(id, at, { reason: { code: 'user-completed' } });
    }
    const id = stringField(objectField(message, 'params'), 'elicitationId');
    if (id === undefined) return;
    this.closed = this.closed.map((one) =>
      stringField(one.question.params, 'elicitationId') === id
        ? { ...withoutEnd(one), completedAt: at }
        : one,
    );
  }
}

/** The server's word counts more than the user's. */
function withoutEnd({ completedAt: _, completedBy: __, ...closed }: ClosedQuestion): ClosedQuestion {
  return closed;
}
