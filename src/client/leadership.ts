/**
 * One tab leads a server; a second one on the same session would take its events away. The lock is given up by the
 * browser when the tab closes or crashes, so leadership needs no heartbeat.
 */
import type { Clock } from '../base/clock.ts';

export interface LockManagerLike {
  request(name: string, options: { signal: AbortSignal }, callback: () => Promise<void>): Promise<void>;
}

/** A page that is loaded again may find the lock still held by what it was before: that is no other tab. */
const GRACE_MS = 200;

export class Leadership {
  readonly #name: string;
  readonly #locks: LockManagerLike | undefined;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  #release: (() => void) | undefined;

  /** `locks` is missing on insecure origins: there, every tab has to believe that it is alone. */
  constructor(name: string, locks: LockManagerLike | undefined, clock: Clock) {
    this.#name = name;
    this.#locks = locks;
    this.#clock = clock;
  }

  /** Takes the lead, now or when its holder is gone; resolves as soon as it is clear which of the two. */
  seek(onLead: () => Promise<void>): Promise<'leads' | 'follows'> {
    return new Promise((resolve, reject) => {
      const cancelGrace = this.#clock.after(GRACE_MS, () => {
        resolve('follows');
      });
      const lead = async (): Promise<void> => {
        cancelGrace();
        await onLead();
        resolve('leads');
      };
      const led = this.#locks ? this.#underLock(this.#locks, lead) : lead();
      led.catch((error: unknown) => {
        if (!this.#abort.signal.aborted) reject(error instanceof Error ? error : new Error(String(error)));
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
