/** A named way for a server to behave. */
import type { CorsMode } from '../core/access.ts';
import type { TargetOptions } from '../core/options.ts';
import type { Stats } from '../core/stats.ts';

/** What stands beside the MCP endpoint, and outlives its restarts. */
export interface Service {
  /** Refuses a request to the MCP endpoint, or lets it in. */
  readonly guard: (request: Request) => Promise<Response | undefined>;
  /** Answers on other paths. */
  readonly fetch: (request: Request) => Promise<Response | undefined>;
  /** Further control actions; one with the name of an ordinary action is done beside it. */
  readonly actions: Readonly<Record<string, () => void>>;
}

/** What a service may use of its target. */
export interface ServiceContext {
  readonly stats: Stats;
  readonly options: () => TargetOptions;
}

export interface Profile {
  readonly name: string;
  /** One line for `--list`. */
  readonly summary: string;
  readonly cors?: CorsMode;
  /** Called at each start and restart: what a profile remembers lives in here. */
  readonly options: () => TargetOptions;
  readonly service?: (context: ServiceContext) => Service;
}
