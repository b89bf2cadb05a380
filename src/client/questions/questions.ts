/** Elicitation and sampling requests of one server: answered by a person, whatever page they came to. */
import { stringField } from '../../base/json.ts';
import type { Log } from '../../log/log.ts';
import type { Question } from '../../log/state/question.ts';
import type { TaskError } from '../../log/state/receivedTask.ts';
import type { Connection } from '../link/connection.ts';
import { CommandError } from '../commandError.ts';
import type { Reply } from '../settings/rules.ts';
import type { SecretInput } from '../exchange/secretInput.ts';
import { USER_DECLINED } from '../protocol/taskResponses.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export interface QuestionsOptions {
  readonly log: Log;
  readonly link: {
    /** Throws in words when there is none. */
    require(): Pick<Connection, 'answer' | 'decline'>;
  };
  readonly tasks: {
    answer(taskId: string, key: string, response: object): Promise<void>;
  };
  readonly receiver: {
    /** The server polls for this result. */
    keep(taskId: string, result: object): void;
  };
  readonly calls: { cancel(callId: string, reason: Reason): Promise<void> };
  readonly secrets: SecretInput;
  /** Resolves when everything in the log so far is stored. */
  readonly flushed: () => Promise<void>;
}

export class Questions {
  readonly #options: QuestionsOptions;
  /** A timer, a double click, another tab and a rule may answer at the same time: one of them does. */
  readonly #sending = new Set<string>();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Is an answer to it on its way? */
  isSending(requestId: string): boolean {
    return this.#sending.has(requestId);
  }

  async answer(requestId: string, result: object): Promise<void> {
    const question = this.#find(requestId);
    await this.#answer(question, result, reasonFor(question, result));
  }

  /** A person does not want to answer: for requests whose result has no way to say so. */
  async decline(requestId: string, message = 'Declined by the user.'): Promise<void> {
    await this.#decline(this.#find(requestId), message);
  }

  /** Somebody says that what was begun at an address is done. */
  async complete(requestId: string): Promise<void> {
    this.#options.log.append({ body: { kind: 'question', requestId, change: { name: 'completed' } } });
    await this.#options.flushed();
  }

  /** Nobody had to: a rule, or the clock, has decided. */
  replyByItself(question: Question, reply: Reply): Promise<void> {
    return reply.name === 'result'
      ? this.#answer(question, reply.result, reply.reason)
      : this.#decline(question, reply.message, reply.reason);
  }

  /** Nobody waits for the answers any more; for what a call required, nobody did. @returns how many were open */
  expireAll(reason: Reason): void {
    const { log } = this.#options;
    const open = [...log.state.questions.values()].filter(({ via }) => via?.kind !== 'required');
    for (const { id: requestId } of open) {
      log.append({ body: { kind: 'question', requestId, change: { name: 'expired', reason } } });
    }
  }

  #find(requestId: string): Question {
    const question = this.#options.log.state.questions.get(requestId);
    if (!question) throw new CommandError('no-such-question', `No open request with ID ${requestId}.`);
    return question;
  }

  #answer(question: Question, result: object, reason?: Reason): Promise<void> {
    const shown = this.#options.secrets.answer(question, result);
    const send = async ({ rpcId, via, task }: Question) => {
      if (task) this.#options.receiver.keep(task.taskId, result);
      else if (via === undefined) await this.#options.link.require().answer(rpcId, { ...result });
      else if (via.kind === 'task') await this.#options.tasks.answer(via.taskId, via.key, result);
      // The answer to a round is kept, and goes with the request that is made again when all are there.
      return task || via?.kind === 'round' ? { response: shown } : {};
    };
    return this.#reply(question, send, reason);
  }

  #decline(question: Question, message: string, reason?: Reason): Promise<void> {
    // A stateless server has nobody waiting whom an error could reach: the call ends here.
    if (question.via?.kind === 'required') return this.#answer(question, { action: 'decline' }, reason);
    if (question.via && question.callId !== undefined)
      return this.#options.calls.cancel(question.callId, { code: 'user-declined' });
    const send = async ({ rpcId, task }: Question) => {
      if (task) return { error: { code: USER_DECLINED, message } };
      await this.#options.link.require().decline(rpcId, message);
      return {};
    };
    return this.#reply(question, send, reason);
  }

  async #reply(
    question: Question,
    send: (question: Question) => Promise<{ readonly response?: object; readonly error?: TaskError }>,
    reason?: Reason,
  ): Promise<void> {
    const { log, link, flushed } = this.#options;
    // Before anything is written: without a connection it stays as it is.
    if (question.via?.kind !== 'required') link.require();
    const requestId = question.id;
    if (this.#sending.has(requestId)) throw new Error('An answer to this request is already being sent.');
    this.#sending.add(requestId);
    const because = reason ? { reason } : {};
    log.append({ body: { kind: 'question', requestId, change: { name: 'answering', ...because } } });
    try {
      const kept = await send(question);
      log.append({
        body: { kind: 'question', requestId, change: { name: 'answered', ...kept, ...because } },
      });
    } finally {
      this.#sending.delete(requestId);
    }
    await flushed();
  }
}

/** What goes on elsewhere after the answer stays in sight. */
function reasonFor({ params }: Question, result: object): Reason | undefined {
  if (stringField(params, 'mode') !== 'url' || stringField(result, 'action') !== 'accept') return undefined;
  return { code: 'url-opened' };
}
