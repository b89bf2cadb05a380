/**
 * Whether this tab owns the connection to a server, or follows the tab that does: a second one on the same session would
 * take its events away. The browser gives the lock up when a tab closes or crashes, so no heartbeat is needed.
 */
import { Emitter } from '../../base/emitter.ts';
import type { LocksLike } from '../../base/exclusive.ts';
import { errorMessage } from '../../base/format.ts';

export type Role = 'undecided' | 'leads' | 'follows';

export class TabRole {
  readonly changed = new Emitter<undefined>();
  readonly #name: string;
  readonly #locks: LocksLike | undefined;
  readonly #abort = new AbortController();
  #release: (() => void) | undefined;
  #current: Role;

  /** @param locks missing on insecure origins: there, every tab has to believe that it is alone */
  constructor(name: string, locks: LocksLike | undefined, first: Role) {
    this.#name = name;
    this.#locks = locks;
    this.#current = first;
  }

  get current(): Role {
    return this.#current;
  }

  set(role: Role): void {
    this.#current = role;
    this.changed.emit(undefined);
  }

  /** Calls `onLead` when the lead is this tab's, now or when its holder is gone; resolves when that was done. */
  seek(onLead: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        if (!this.#abort.signal.aborted)
          reject(error instanceof Error ? error : new Error(errorMessage(error)));
      };
      let led: Promise<boolean> | undefined;
      const lead = (): Promise<boolean> =>
        (led ??= onLead().then(
          () => (resolve(), true),
          (error: unknown) => (fail(error), false),
        ));
      if (this.#locks) this.#hold(this.#locks, lead).catch(fail);
      else void lead();
    });
  }

  resign(): void {
    this.#abort.abort();
    this.#release?.();
  }

  decided(): Promise<void> {
    return this.#until((role) => role !== 'undecided');
  }

  /** Resolves when this tab owns the connection; never, once the signal aborts. */
  leads(signal: AbortSignal): Promise<void> {
    return this.#until((role) => role === 'leads', signal);
  }

  #until(isReached: (role: Role) => boolean, signal?: AbortSignal): Promise<void> {
    if (isReached(this.#current)) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.changed.on(() => {
        if (!isReached(this.#current)) return;
        stop();
        resolve();
      });
      signal?.addEventListener('abort', stop);
    });
  }

  /** @param lead leads, if it doesn't yet; `false` if that has failed */
  async #hold(locks: LocksLike, lead: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#abort;
    const hold = async (): Promise<void> => {
      if (!(await lead())) return;
      await new Promise<void>((release) => {
        this.#release = release;
      });
    };
    for (let isOver = false; !isOver;) {
      isOver = await locks.request(this.#name, { signal }, hold).then(
        () => true,
        (error: unknown) => {
          // WebKit takes the locks of a page in its back/forward cache away, also one that is waited for.
          if (!signal.aborted && error instanceof Error && error.name === 'AbortError') return false;
          throw error;
        },
      );
    }
  }
}
