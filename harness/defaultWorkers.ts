/** How many scenarios run side by side, if nothing else is asked for. */
import { availableParallelism } from 'node:os';

/** Most of a scenario is waiting for the tool, so each core serves two. */
export const DEFAULT_WORKERS = Math.min(8, availableParallelism() * 2);
