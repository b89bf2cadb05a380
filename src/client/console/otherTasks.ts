/** The tasks of a server that this browser knows from `tasks/list` alone. */
import type { ListedTask } from '../../log/protocol/task.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';

export function otherTasks({ lists, log }: Pick<ServerHandle, 'lists' | 'log'>): readonly ListedTask[] {
  const { tasks } = log.state.continuations;
  return (lists.tasks ?? []).filter(({ taskId }) => !tasks.has(taskId));
}
