/** Servers that were forgotten are removed for good when the time to take that back is over, in whichever tab is left. */
import type { Clock } from '../../base/clock.ts';
import type { ServerDirectory } from './serverDirectory.ts';

/** How long somebody can change their mind about a server that was forgotten. */
export const UNDO_MS = 10_000;

export class PlannedRemovals {
  readonly #clock: Clock;
  readonly #list: Pick<ServerDirectory, 'all' | 'find'>;
  readonly #remove: (id: string) => Promise<void>;
  #timers: (() => void)[] = [];

  constructor(
    clock: Clock,
    list: Pick<ServerDirectory, 'all' | 'find'>,
    remove: (id: string) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#list = list;
    this.#remove = remove;
  }

  /** For the list as it is now. */
  plan(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers = this.#list.all.flatMap(({ id, forgottenAt }) => {
      if (forgottenAt === undefined) return [];
      const leftMs = Math.max(0, forgottenAt + UNDO_MS - this.#clock.now());
      return [this.#clock.after(leftMs, () => void this.#removeIfHidden(id))];
    });
  }

  /** It may have been taken back in another tab. */
  async #removeIfHidden(id: string): Promise<void> {
    if (this.#list.find(id)?.forgottenAt !== undefined) await this.#remove(id);
  }
}
