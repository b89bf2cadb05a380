/** What happens to a page in every engine, and what came of it. */
import type { RunningTarget } from '../../../targets/startTarget.ts';
import type { AppPage } from '../appPage.ts';

export interface Story {
  /** For `--story`. */
  readonly name: string;
  /** What the table calls it. */
  readonly row: string;
  /** Long, or of use to the table alone: it isn't part of `npm test`. */
  readonly isLong?: true;
  tell(world: World): Promise<Told>;
}

export interface World {
  readonly site: string;
  readonly target: RunningTarget;
  /** Its name. */
  readonly engine: string;
  /** A new tab of the app. */
  readonly open: () => Promise<AppPage>;
  /** A new tab of the app that is connected to the target. */
  readonly connected: () => Promise<AppPage>;
  /** Ends the browser by SIGKILL, and starts it again on the same profile. */
  readonly killAndStart: () => Promise<void>;
}

export interface Told {
  /** What the table says. */
  readonly says: string;
  readonly problems: readonly string[];
}

export const whole = (problems: readonly string[], says: string): Told => ({
  says: problems.length === 0 ? says : problems.join('; '),
  problems,
});

/** "0.36 s" */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 995 ? 2 : 1)} s`;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
