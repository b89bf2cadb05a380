/**
 * One tab leads a server; a second one on the same session would take its events away. The lock is given up by the
 * browser when the tab closes or crashes, so leadership needs no heartbeat.
 */
import { errorMessage } from '../../base/format.ts';

export interface LockManagerLike {
  request(name: string, options: { signal: AbortSignal }, callback: () => Promise<void>): Promise<void>;
}

export class Leadership {
  readonly #name: string;
  readonly #locks: LockManagerLike | undefined;
  readonly #abort = new AbortController();
  #release: (() => void) | undefined;

  /** `locks` is missing on insecure origins: there, every tab has to believe that it is alone. */
  constructor(name: string, locks: LockManagerLike | undefined) {
    this.#name = name;
    this.#locks = locks;
  }

  /** Calls `onLead` when the lead is this tab's, now or when its holder is gone; resolves when that was done. */
  seek(onLead: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const lead = (): Promise<void> => onLead().then(resolve);
      const led = this.#locks ? this.#underLock(this.#locks, lead) : lead();
      led.catch((error: unknown) => {
        if (!this.#abort.signal.aborted)
          reject(error instanceof Error ? error : new Error(errorMessage(error)));
      });
    });
  }

  resign(): void {
    this.#abort.abort();
    this.#release?.();
  }

  #underLock(locks: LockManagerLike, lead: () => Promise<void>): Promise<void> {
    return locks.request(this.#name, { signal: this.#abort.signal }, async () => {
      await lead();
      await new Promise<void>((release) => {
        this.#release = release;
      });
    });
  }
}
