/** When to ask for a task again, and when asking is over. Pure. */
import { expiresAt, mayMeanUnknownTask, type Task } from '../../log/protocol/task.ts';
import type { Reason } from '../../log/reasons/reason.ts';

/** For servers that suggest no interval. */
const DEFAULT_POLL_MS = 1000;
/** A server that suggests less would be asked more often than anybody can read. */
const MIN_POLL_MS = 100;

/** MCP asks to respect the server's interval: never sooner. */
export function pollDelayMs({ pollIntervalMs = DEFAULT_POLL_MS }: Pick<Task, 'pollIntervalMs'>): number {
  return Math.max(MIN_POLL_MS, pollIntervalMs);
}

export type TaskFailure =
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  /** An answer that does not follow the standard; what could be read of it is in the log. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'no-answer' }
  /** The server has changed its way of the protocol since the task began. */
  | { readonly kind: 'other-generation' };

export interface TaskEnd {
  readonly name: 'expired' | 'lost';
  readonly reason: Reason;
}

export function endOfTask(task: Task, failure: TaskFailure, now: number): TaskEnd | undefined {
  switch (failure.kind) {
    case 'other-generation':
      return { name: 'lost', reason: { code: 'protocol-version-changed', how: 'task' } };
    case 'error':
      return mayMeanUnknownTask(failure.code) ? unknownTask(task, failure.message, now) : undefined;
    case 'unreadable':
    case 'no-answer':
      return undefined;
  }
}

function unknownTask(task: Task, message: string, now: number): TaskEnd {
  const end = expiresAt(task);
  if (end !== undefined && now >= end) {
    return { name: 'expired', reason: { code: 'task-expired', how: 'task', ttlMs: task.ttlMs ?? 0 } };
  }
  return { name: 'lost', reason: { code: 'task-unknown', text: message } };
}
