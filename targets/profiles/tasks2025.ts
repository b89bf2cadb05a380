/** Tasks as the core of 2025-11-25 has them, on sessions with replay: `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`. */
import { MODERN_TOOLS, TASK_TOOLS } from '../core/tools.ts';
import { TASKS } from './taskSettings.ts';
import type { Profile } from './profile.ts';

export const tasks2025: Profile = {
  name: 'tasks-2025',
  summary: 'sessions with 2025-11-25 tasks that outlive page and session',
  options: () => ({ tasks: TASKS, extraTools: [...MODERN_TOOLS, ...TASK_TOOLS] }),
};
