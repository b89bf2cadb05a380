/** What a server that asks for a task, or about one, is told (MCP 2025-11-25, Tasks). Decided here, sent by the task receiver. */
import { holdsHidden } from '../../base/hidden.ts';
import { numberField, objectField, stringField } from '../../base/json.ts';
import {
  expiresAt,
  statusOf,
  type ReceivedTask,
  type TaskError,
  type TaskRequest,
} from '../../log/state/receivedTask.ts';
import { isTerminal } from '../../log/protocol/task.ts';

export type Response =
  | { readonly name: 'result'; readonly result: object }
  | { readonly name: 'error'; readonly error: TaskError }
  /** `tasks/result` responds when the task has ended. */
  | { readonly name: 'wait' }
  /** Cancel this one first; its description is the response. */
  | { readonly name: 'cancel'; readonly task: ReceivedTask };

export interface KnownTasks {
  readonly tasks: ReadonlyMap<string, ReceivedTask>;
  /** Results as they were typed in this page, by task: the log holds them without secret values. */
  readonly typed: ReadonlyMap<string, object>;
  readonly now: number;
}

/** MCP 2025-11-25, Sampling, "Error Handling": the user rejected the request. */
export const USER_DECLINED = -1;

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const RELATED_TASK = 'io.modelcontextprotocol/related-task';
/** How often a server should poll: people are slow. */
const POLL_INTERVAL_MS = 1000;
/** A requested TTL is kept up to this. */
const MAX_TTL_MS = 86_400_000;
const WAITING = 'Waiting for the user.';
const SECRET_GONE = 'The answer had a secret value, which isn’t stored, so the reload lost it.';

/** The TTL of a new task, from the `task` member of its request. */
export function ttlOf({ params }: Pick<TaskRequest, 'params'>): number {
  const wanted = numberField(objectField(params, 'task'), 'ttl') ?? MAX_TTL_MS;
  return Math.min(MAX_TTL_MS, Math.max(0, wanted));
}

export function respondTo(request: TaskRequest, known: KnownTasks): Response {
  const { method, params, rpcId } = request;
  if (method === 'tasks/list') {
    const live = [...known.tasks.values()].filter((task) => known.now < expiresAt(task));
    return result({ tasks: live.map((task) => describeTask(task, known)) });
  }
  const isAbout = method.startsWith('tasks/');
  const task = isAbout
    ? known.tasks.get(stringField(params, 'taskId') ?? '')
    : [...known.tasks.values()].find(({ question }) => question.rpcId === rpcId);
  if (!task || known.now >= expiresAt(task)) return error('The task is unknown, or its TTL passed.');
  if (!isAbout) return result({ task: describeTask(task, known) });
  switch (method) {
    case 'tasks/result':
      return resultOf(task, known);
    case 'tasks/cancel':
      if (!isTerminal(statusOf(task))) return { name: 'cancel', task };
      return error(`The task can’t be cancelled. Its status is ${statusOf(task)}.`);
    default:
      return result(describeTask(task, known));
  }
}

function resultOf(task: ReceivedTask, { typed }: KnownTasks): Response {
  const { end, taskId } = task;
  if (!end) return { name: 'wait' };
  switch (end.status) {
    case 'failed':
      return { name: 'error', error: end.error };
    case 'cancelled':
      return error('The task was cancelled.', INTERNAL_ERROR);
    case 'completed': {
      const answer = typed.get(taskId) ?? end.result;
      if (holdsHidden(answer)) return error(SECRET_GONE, INTERNAL_ERROR);
      // The result of the original request does not name the task.
      return result({ ...answer, _meta: { ...objectField(answer, '_meta'), [RELATED_TASK]: { taskId } } });
    }
  }
}

export function describeTask(task: ReceivedTask, { typed }: Pick<KnownTasks, 'typed'>): object {
  const { taskId, createdAt, updatedAt, ttlMs, end } = task;
  const isLost = end?.status === 'completed' && !typed.has(taskId) && holdsHidden(end.result);
  const statusMessage = messageOf(task, isLost);
  return {
    taskId,
    status: isLost ? 'failed' : statusOf(task),
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    pollInterval: POLL_INTERVAL_MS,
  };
}

function messageOf({ end }: ReceivedTask, isLost: boolean): string | undefined {
  if (isLost) return SECRET_GONE;
  if (!end) return WAITING;
  return end.status === 'failed' ? end.error.message : undefined;
}

function result(value: object): Response {
  return { name: 'result', result: value };
}

function error(message: string, code = INVALID_PARAMS): Response {
  return { name: 'error', error: { code, message } };
}
