/** 2026-07-28 with the extension `io.modelcontextprotocol/tasks`: a long call is a handle, and a reload changes nothing. */
import { TASK_FIXTURES } from '../conformance/taskTools.ts';
import { MODERN_TOOLS, TASK_TOOLS } from '../core/tools.ts';
import { TASKS } from './taskSettings.ts';
import type { Profile } from './profile.ts';

export const modernTasks: Profile = {
  name: 'modern-tasks',
  summary: 'stateless 2026-07-28 with tasks that survive reloads',
  options: () => ({
    era: 'stateless',
    tasks: TASKS,
    extraTools: [...MODERN_TOOLS, ...TASK_TOOLS, ...TASK_FIXTURES],
  }),
};
