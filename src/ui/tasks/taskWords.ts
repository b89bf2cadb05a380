/** A task in words: how it stands, and how long it is kept. */
import { assertNever } from '../../base/assertNever.ts';
import { duration } from '../../base/words.ts';
import { expiresAt, isTerminal, type Task } from '../../log/protocol/task.ts';

export function taskStateWords({ status, ended }: Pick<Task, 'status' | 'ended'>): string {
  if (ended !== undefined) return 'gone';
  switch (status) {
    case 'working':
      return 'working';
    case 'input_required':
      return 'waits for your answer';
    case 'completed':
    case 'failed':
    case 'cancelled':
      return status;
    default:
      return assertNever(status);
  }
}

/** "kept for 4 min more", "may be gone since 12 s", "kept without a limit" */
export function keptWords(task: Task, now: number): string {
  const end = expiresAt(task);
  if (end === undefined) return 'kept without a limit';
  return now < end
    ? `kept for ${duration(end - now)} more`
    : `kept until ${duration(now - end)} ago, may be gone`;
}

export function generationWords({ generation }: Task): string {
  return generation === 'core' ? 'task of 2025-11-25' : 'task of the extension';
}

/** "asked every 500 ms, last heard of 2 s ago" */
export function paceWords({ pollIntervalMs = 1000, heardAt, status, ended }: Task, now: number): string {
  const heard = `last heard of ${duration(Math.max(0, now - heardAt))} ago`;
  const isOver = isTerminal(status) || ended !== undefined;
  return isOver ? heard : `asked every ${duration(pollIntervalMs)}, ${heard}`;
}
