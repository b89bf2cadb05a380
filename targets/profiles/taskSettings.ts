/** How tasks are kept, unless a test wants it otherwise. */
import type { TaskSettings } from '../core/tasks/taskLedger.ts';

export const TASKS: TaskSettings = { ttlMs: 10 * 60_000, pollIntervalMs: 250 };
