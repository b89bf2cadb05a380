/**
 * How a call goes on after its first answer: rounds of questions (MCP 2026-07-28, multi-round-trip requests) and tasks.
 * A fold, like the state that holds it: what is here survives the page.
 */
import { asText } from '../../base/asText.ts';
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { readAnswer } from '../protocol/answer.ts';
import type { Call } from './call.ts';
import { outcomeOf, type CallOutcome } from '../protocol/callMessages.ts';
import type { Question } from './question.ts';
import type { Reason } from '../reasons/reason.ts';
import {
  isFollowed,
  isTerminal,
  mayMeanUnknownTask,
  readTask,
  type Task,
  type TaskGeneration,
  type TaskSnapshot,
} from '../protocol/task.ts';
import { parseWireId } from '../protocol/wireId.ts';

/** What a server asked in one round, and what was answered so far. The retry carries all answers at once. */
export interface Round {
  readonly callId: string;
  /** Counted from 1. */
  readonly number: number;
  /** The server's, byte for byte: never read, never changed, never made up. */
  readonly requestState?: string;
  readonly keys: readonly string[];
  readonly answers: Readonly<Record<string, object>>;
  /** The retry has left: the state is used up. */
  readonly isSent: boolean;
}

export type Effect =
  | { readonly name: 'settles'; readonly outcome: CallOutcome }
  | { readonly name: 'cancelled'; readonly reason: Reason }
  /** All that is asked now: what is not among it is not asked any more. */
  | { readonly name: 'asks'; readonly questions: readonly Question[] }
  | { readonly name: 'runs' }
  | { readonly name: 'nothing' };

export interface ContinuationsSnapshot {
  readonly tasks: readonly Task[];
  readonly rounds: readonly Round[];
}

export interface Heard {
  readonly message: JsonObject;
  readonly server: string;
  readonly at: number;
}

/** Tasks beyond this many are forgotten, oldest first, once nothing more is to be learned of them. */
const KEPT_TASKS = 200;
const RELATED_TASK = 'io.modelcontextprotocol/related-task';
const NOTHING: Effect = { name: 'nothing' };

export class CallContinuations {
  readonly tasks: Map<string, Task>;
  readonly rounds: Map<string, Round>;

  constructor({ tasks = [], rounds = [] }: Partial<ContinuationsSnapshot> = {}) {
    this.tasks = new Map(tasks.map((task) => [task.taskId, task]));
    this.rounds = new Map(rounds.map((round) => [round.callId, round]));
  }

  snapshot(): ContinuationsSnapshot {
    return { tasks: [...this.tasks.values()], rounds: [...this.rounds.values()] };
  }

  /** An answer that belongs to an open call. */
  answer(call: Call, heard: Heard): Effect {
    if (this.#mayBeUnknownTask(call, heard.message)) return NOTHING;
    const answer = readAnswer(heard.message, call.era);
    switch (answer.name) {
      case 'settles':
        return answer;
      case 'asks':
        return this.#ask(call, answer, heard);
      case 'task':
        return this.#hearOf(answer.task, { callId: call.id, generation: answer.generation }, heard);
      case 'nothing':
        return NOTHING;
    }
  }

  /** A notification that may tell of a task. */
  notice(heard: Heard): { readonly callId: string; readonly effect: Effect } | undefined {
    const snapshot = readTask(heard.message['params']);
    const task = snapshot && this.tasks.get(snapshot.taskId);
    if (!snapshot || !task || !isFollowed(task)) return undefined;
    return { callId: task.callId, effect: this.#hearOf(snapshot, task, heard) };
  }

  /** A person has answered; what it answers is read off the question. */
  answered({ callId, via }: Question, response: object): void {
    if (!via || callId === undefined) return;
    if (via.kind === 'required') return;
    if (via.kind === 'task') {
      this.#editTask(via.taskId, (task) => ({ ...task, answered: [...task.answered, via.key] }));
      return;
    }
    const round = this.rounds.get(callId);
    if (round) this.rounds.set(callId, { ...round, answers: { ...round.answers, [via.key]: response } });
  }

  /** The retry is about to leave. */
  retrying(callId: string): void {
    const round = this.rounds.get(callId);
    if (round) this.rounds.set(callId, { ...round, isSent: true });
  }

  /** The call is over, and with it what it waited for. */
  closeCall(callId: string): void {
    this.rounds.delete(callId);
  }

  /** Nothing more can be learned of a task. */
  endTask(taskId: string, reason: Reason, at: number): void {
    this.#editTask(taskId, (task) => ({ ...task, ended: reason, changedAt: at }));
    this.#forgetOldTasks();
  }

  taskOf(callId: string): Task | undefined {
    for (const task of this.tasks.values()) if (task.callId === callId) return task;
    return undefined;
  }

  /** MCP 2025-11-25, Tasks: what a task asks names it. */
  callAbout(message: JsonObject): string | undefined {
    const meta = objectField(objectField(message, 'params'), '_meta');
    const taskId = stringField(objectField(meta, RELATED_TASK), 'taskId');
    return taskId === undefined ? undefined : this.tasks.get(taskId)?.callId;
  }

  /** `tasks/result` answers with the tool's own error, or says that there is no such task: `tasks/get` knows which. */
  #mayBeUnknownTask(call: Call, message: JsonObject): boolean {
    const { followUp } = parseWireId(asText(message['id']));
    if (followUp !== 'result' || !mayMeanUnknownTask(numberField(message['error'], 'code'))) return false;
    return this.taskOf(call.id)?.status !== 'failed';
  }

  #ask(
    call: Call,
    { inputRequests, requestState }: { inputRequests: JsonObject; requestState?: string },
    heard: Heard,
  ): Effect {
    const number = (this.rounds.get(call.id)?.number ?? 0) + 1;
    this.rounds.set(call.id, {
      callId: call.id,
      number,
      ...(requestState !== undefined && { requestState }),
      keys: Object.keys(inputRequests),
      answers: {},
      isSent: false,
    });
    const id = asText(heard.message['id']);
    return {
      name: 'asks',
      questions: questionsOf(inputRequests, heard, call.id, id, (key) => ({ kind: 'round', key })),
    };
  }

  #hearOf(
    snapshot: TaskSnapshot,
    owner: { readonly callId: string; readonly generation: TaskGeneration },
    heard: Heard,
  ): Effect {
    const { inputRequests = {}, ...facts } = snapshot;
    const known = this.tasks.get(facts.taskId);
    // A late word must not bring an ended task back.
    if (known && isTerminal(known.status)) return NOTHING;
    const task: Task = {
      ...facts,
      callId: owner.callId,
      generation: owner.generation,
      startedAt: known?.startedAt ?? heard.at,
      heardAt: heard.at,
      answered: known?.answered ?? [],
      changedAt: known?.status === facts.status ? (known.changedAt ?? known.startedAt) : heard.at,
    };
    this.tasks.set(task.taskId, task);
    this.#forgetOldTasks();
    if (task.status === 'cancelled') return { name: 'cancelled', reason: cancelledBy(task) };
    // The core generation asks by requests of its own, and gives its result to `tasks/result`.
    if (task.generation === 'core') return isTerminal(task.status) ? NOTHING : { name: 'runs' };
    if (isTerminal(task.status)) return { name: 'settles', outcome: outcomeOf(heard.message) };
    if (task.status === 'working') return { name: 'runs' };
    const open = Object.fromEntries(
      Object.entries(inputRequests).filter(([key]) => !task.answered.includes(key)),
    );
    const { taskId } = task;
    const questions = questionsOf(open, heard, task.callId, taskId, (key) => ({ kind: 'task', taskId, key }));
    return { name: 'asks', questions };
  }

  #editTask(taskId: string, edit: (task: Task) => Task): void {
    const task = this.tasks.get(taskId);
    if (task) this.tasks.set(taskId, edit(task));
  }

  #forgetOldTasks(): void {
    for (const task of this.tasks.values()) {
      if (this.tasks.size <= KEPT_TASKS) return;
      if (!isFollowed(task)) this.tasks.delete(task.taskId);
    }
  }
}

/** Every answer is here, and the retry has not left. */
export function isReady(round: Round): boolean {
  return !round.isSent && round.keys.every((key) => Object.hasOwn(round.answers, key));
}

/** Does this answer belong to the call's own messages, or only to the management of its task? */
export function isOfCall(messageId: unknown): boolean {
  const { followUp } = parseWireId(asText(messageId));
  return followUp !== 'poll' && followUp !== 'update' && followUp !== 'cancel';
}

function questionsOf(
  inputRequests: JsonObject,
  { server, at }: Heard,
  callId: string,
  prefix: string,
  via: (key: string) => NonNullable<Question['via']>,
): readonly Question[] {
  return Object.entries(inputRequests).map(([key, request]) => ({
    id: `${prefix}/${key}`,
    rpcId: key,
    server,
    method: isObject(request) && typeof request['method'] === 'string' ? request['method'] : 'unknown',
    params: objectField(request, 'params') ?? {},
    callId,
    askedAt: at,
    via: via(key),
  }));
}

function cancelledBy({ statusMessage = '' }: Task): Reason {
  return { code: 'task-cancelled', ...(statusMessage !== '' && { text: statusMessage }) };
}
