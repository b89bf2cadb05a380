/** A task in words: how it stands, and how long it is kept. */
import { assertNever } from '../../base/assertNever.ts';
import { duration } from '../../base/format.ts';
import { expiresAt, isTerminal, type Task } from '../../log/protocol/task.ts';

export const WORDS = {
  result: 'Get the result',
  cancel: 'Cancel the task',
  other: 'Not started here',
  callGone: '(call no longer stored)',
  none: 'No tasks yet.',
  offered: 'Calls that run as tasks appear here and continue across reloads.',
  unsupported: 'This server doesn’t support tasks.',
  noOther: 'The server lists no other tasks.',
} as const;

export function taskStateWords({ status, ended }: Pick<Task, 'status' | 'ended'>): string {
  if (ended !== undefined) return 'not available';
  switch (status) {
    case 'working':
      return 'working';
    case 'input_required':
      return 'needs your input';
    case 'completed':
    case 'failed':
    case 'cancelled':
      return status;
    default:
      return assertNever(status);
  }
}

/** "expires in 4 min", "expired 12 s ago", "no expiry" */
export function keptWords(task: Task, now: number): string {
  const end = expiresAt(task);
  if (end === undefined) return 'no expiry';
  return now < end ? `expires in ${duration(end - now)}` : `expired ${duration(now - end)} ago`;
}

export function generationWords({ generation }: Task): string {
  return generation === 'core' ? 'core task (2025-11-25)' : 'extension task';
}

/** "polled every 500 ms, updated 2 s ago" */
export function paceWords({ pollIntervalMs = 1000, heardAt, status, ended }: Task, now: number): string {
  const heard = `updated ${duration(Math.max(0, now - heardAt))} ago`;
  const isOver = isTerminal(status) || ended !== undefined;
  return isOver ? heard : `polled every ${duration(pollIntervalMs)}, ${heard}`;
}
