/** A task that the server asked this page for (MCP 2025-11-25): an elicitation or sampling request that it polls. */
import type { Question } from './question.ts';
import type { TaskStatus } from '../protocol/task.ts';

export interface TaskError {
  readonly code: number;
  readonly message: string;
}

export type TaskEnd =
  /** Secret values are hidden in it: they don't outlive the page. */
  | { readonly status: 'completed'; readonly result: object }
  | { readonly status: 'failed'; readonly error: TaskError }
  | { readonly status: 'cancelled' };

export interface ReceivedTask {
  readonly taskId: string;
  /** As it was asked: the response to `tasks/result` has its schema. */
  readonly question: Question;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ttlMs: number;
  /** Left out while the user is asked. */
  readonly end?: TaskEnd;
}

/** A request of the server whose response has not arrived there: to create a task, or about one. */
export interface TaskRequest {
  readonly rpcId: string | number;
  readonly method: string;
  readonly params: object;
}

export const TASK_METHODS: ReadonlySet<string> = new Set([
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
]);

export function statusOf({ end }: ReceivedTask): TaskStatus {
  return end?.status ?? 'working';
}

export function expiresAt({ createdAt, ttlMs }: ReceivedTask): number {
  return createdAt + ttlMs;
}
