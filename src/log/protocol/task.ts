/** A task as it outlives the page that began it, in both generations: 2025-11-25 and the extension of 2026-07-28. */
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Reason } from '../reasons/reason.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** `core`: part of 2025-11-25. `extension`: io.modelcontextprotocol/tasks, on 2026-07-28. */
export type TaskGeneration = 'core' | 'extension';

/** What a server says of a task, whichever generation it speaks. */
export interface TaskSnapshot {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt?: number;
  readonly lastUpdatedAt?: number;
  /** `null`: kept without a limit. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
  /** What it waits for, by key. The extension sends it along; the core asks by requests of its own. */
  readonly inputRequests?: JsonObject;
}

/** A task as `tasks/list` has it. */
export type ListedTask = Omit<TaskSnapshot, 'inputRequests'>;

export interface Task extends ListedTask {
  readonly callId: string;
  readonly generation: TaskGeneration;
  /** When this browser learned of it. */
  readonly startedAt: number;
  /** When it was last heard of. */
  readonly heardAt: number;
  /** When its status last changed. Tasks of earlier versions have none. */
  readonly changedAt?: number;
  /** The keys that were answered: a server may list them until it has taken the answer in. */
  readonly answered: readonly string[];
  /** Nothing more can be learned of it, and why. */
  readonly ended?: Reason;
}

const STATUSES: ReadonlySet<string> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

export function isTerminal(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Is there anything left to learn of it? */
export function isFollowed({ status, ended }: Pick<Task, 'status' | 'ended'>): boolean {
  return ended === undefined && !isTerminal(status);
}

export function readTask(value: unknown): TaskSnapshot | undefined {
  const taskId = stringField(value, 'taskId');
  const status = stringField(value, 'status');
  if (!isObject(value) || taskId === undefined || !isStatus(status)) return undefined;
  const statusMessage = stringField(value, 'statusMessage');
  const createdAt = readDate(value, 'createdAt');
  const lastUpdatedAt = readDate(value, 'lastUpdatedAt');
  const pollIntervalMs = numberField(value, 'pollIntervalMs') ?? numberField(value, 'pollInterval');
  const inputRequests = objectField(value, 'inputRequests');
  return {
    taskId,
    status,
    ttlMs: numberField(value, 'ttlMs') ?? numberField(value, 'ttl') ?? null,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(createdAt !== undefined && { createdAt }),
    ...(lastUpdatedAt !== undefined && { lastUpdatedAt }),
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
    ...(inputRequests && { inputRequests }),
  };
}

/** JSON-RPC codes by which servers say that they don't know a task. Tools use some of them too. */
const UNKNOWN_TASK: ReadonlySet<number> = new Set([-32602, -32001, -32002, -32601, 404]);

export function mayMeanUnknownTask(code: number | undefined): boolean {
  return code !== undefined && UNKNOWN_TASK.has(code);
}

/** Past this moment the server may have thrown the task away. */
export function expiresAt({ createdAt, startedAt, ttlMs }: Task): number | undefined {
  return ttlMs === null ? undefined : (createdAt ?? startedAt) + ttlMs;
}

function isStatus(text: string | undefined): text is TaskStatus {
  return text !== undefined && STATUSES.has(text);
}

function readDate(value: JsonObject, name: string): number | undefined {
  const at = Date.parse(stringField(value, name) ?? '');
  return Number.isNaN(at) ? undefined : at;
}
