/** The tasks that a server asked this page for, as a fold: what is here survives the page. */
import { objectField, type JsonObject } from '../../base/json.ts';
import type { QuestionChange } from '../entry/entry.ts';
import { QUESTION_METHODS, type Question } from './question.ts';
import {
  expiresAt,
  TASK_METHODS,
  type ReceivedTask,
  type TaskEnd,
  type TaskRequest,
} from './receivedTask.ts';

export interface ReceivedTasksSnapshot {
  readonly receivedTasks: readonly ReceivedTask[];
  readonly taskRequests: readonly TaskRequest[];
}

/** Ended tasks beyond this many are forgotten, oldest first. */
const KEPT_ENDED = 100;

export class ReceivedTasks {
  readonly tasks: Map<string, ReceivedTask>;
  /** By JSON-RPC ID, as text. */
  readonly requests: Map<string, TaskRequest>;

  constructor({ receivedTasks = [], taskRequests = [] }: Partial<ReceivedTasksSnapshot> = {}) {
    this.tasks = new Map(receivedTasks.map((task) => [task.taskId, task]));
    this.requests = new Map(taskRequests.map((request) => [String(request.rpcId), request]));
  }

  snapshot(): ReceivedTasksSnapshot {
    return { receivedTasks: [...this.tasks.values()], taskRequests: [...this.requests.values()] };
  }

  /** The server asks for a task, or about one. @returns the ID of the request, if it does */
  ask(method: string, message: JsonObject): string | undefined {
    const rpcId = message['id'];
    if (typeof rpcId !== 'string' && typeof rpcId !== 'number') return undefined;
    const params = objectField(message, 'params') ?? {};
    const wantsTask = QUESTION_METHODS.has(method) && objectField(params, 'task') !== undefined;
    if (!wantsTask && !TASK_METHODS.has(method)) return undefined;
    this.requests.set(String(rpcId), { rpcId, method, params });
    return String(rpcId);
  }

  /** The response arrived, or the server no longer waits for it. */
  closeRequest(id: string): void {
    this.requests.delete(id);
  }

  create(question: Question, { taskId, ttlMs }: QuestionChange & { name: 'task' }, at: number): void {
    this.#forgetOld(at);
    this.tasks.set(taskId, { taskId, question, createdAt: at, updatedAt: at, ttlMs });
  }

  /** What became of a question decides its task. */
  end(taskId: string, change: QuestionChange, at: number): void {
    const task = this.tasks.get(taskId);
    if (!task || task.end) return;
    // Its TTL passed, or its session ended: nothing is left to poll.
    if (change.name === 'expired') this.tasks.delete(taskId);
    const end = endOf(change);
    if (end) this.tasks.set(taskId, { ...task, end, updatedAt: at });
  }

  /** A new session knows no tasks and waits for no responses. */
  clear(): void {
    this.tasks.clear();
    this.requests.clear();
  }

  #forgetOld(now: number): void {
    const ended = [...this.tasks.values()].filter(({ end }) => end);
    const kept = ended.filter((task) => now < expiresAt(task)).slice(-KEPT_ENDED);
    for (const task of ended) if (!kept.includes(task)) this.tasks.delete(task.taskId);
  }
}

function endOf(change: QuestionChange): TaskEnd | undefined {
  if (change.name === 'cancelled') return { status: 'cancelled' };
  if (change.name !== 'answered') return undefined;
  return change.error
    ? { status: 'failed', error: change.error }
    : { status: 'completed', result: change.response ?? {} };
}
