/** A named way for a server to behave. */
import type { CorsMode } from '../core/access.ts';
import type { TargetOptions } from '../core/options.ts';

export interface Profile {
  readonly name: string;
  /** One line for `--list`. */
  readonly summary: string;
  readonly cors?: CorsMode;
  /** Called at each start and restart: what a profile remembers lives in here. */
  readonly options: () => TargetOptions;
}
