/**
 * One tab leads a server; a second one on the same session would take its events away. The lock is given up by the
 * browser when the tab closes or crashes, so leadership needs no heartbeat.
 */
export interface LockManagerLike {
  request(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    callback: (lock: object | null) => Promise<void>,
  ): Promise<void>;
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

  /** Takes the lead if it is free now; if not, `onLead` is called when its holder is gone. */
  async seek(onLead: () => Promise<void>): Promise<'leads' | 'follows'> {
    if (!this.#locks) {
      await onLead();
      return 'leads';
    }
    if (await this.#tryNow()) {
      await onLead();
      return 'leads';
    }
    this.#locks
      .request(this.#name, { signal: this.#abort.signal }, async () => {
        const held = this.#hold();
        await onLead();
        await held;
      })
      .catch(() => undefined); // Aborted: this tab no longer wants it.
    return 'follows';
  }

  resign(): void {
    this.#abort.abort();
    this.#release?.();
  }

  #tryNow(): Promise<boolean> {
    return new Promise((resolve) => {
      void this.#locks?.request(this.#name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? Promise.resolve() : this.#hold();
      });
    });
  }

  #hold(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
    });
  }
}
