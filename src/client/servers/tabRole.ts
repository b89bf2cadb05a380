/** Whether this tab owns the connection to a server, or follows the tab that does. */
import { Emitter } from '../../base/emitter.ts';
import { Leadership, type LockManagerLike } from '../tabs/leadership.ts';

export type Role = 'undecided' | 'leads' | 'follows';

export class TabRole {
  readonly changed = new Emitter<undefined>();
  readonly #leadership: Leadership;
  #current: Role;

  constructor(place: string, locks: LockManagerLike | undefined, first: Role) {
    this.#leadership = new Leadership(place, locks);
    this.#current = first;
  }

  get current(): Role {
    return this.#current;
  }

  set(role: Role): void {
    this.#current = role;
    this.changed.emit(undefined);
  }

  /** Runs once this tab may own the connection. */
  seek(onLead: () => Promise<void>): Promise<void> {
    return this.#leadership.seek(onLead);
  }

  resign(): void {
    this.#leadership.resign();
  }

  decided(): Promise<void> {
    return this.#until((role) => role !== 'undecided');
  }

  /** Resolves when this tab owns the connection; never, once the signal aborts. */
  leads(signal: AbortSignal): Promise<void> {
    return this.#until((role) => role === 'leads', signal);
  }

  #until(isWanted: (role: Role) => boolean, signal?: AbortSignal): Promise<void> {
    if (isWanted(this.#current)) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.changed.on(() => {
        if (!isWanted(this.#current)) return;
        stop();
        resolve();
      });
      signal?.addEventListener('abort', stop);
    });
  }
}
