/** Tells when a resume is complete: the burst of missed messages is over when none has come for a moment. */
import type { Clock } from '../../base/clock.ts';
import type { Entry } from '../../log/entry/entry.ts';

const QUIET_MS = 300;

export class RecoveryWatch {
  readonly #clock: Clock;
  readonly #onRecovered: (messages: number) => void;
  #messages = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onRecovered: (messages: number) => void) {
    this.#clock = clock;
    this.#onRecovered = onRecovered;
  }

  heed(entries: readonly Entry[]): void {
    const replayed = entries.filter((entry) => entry.kind === 'received' && entry.replayed).length;
    if (replayed === 0) return;
    this.#messages += replayed;
    this.#cancel?.();
    this.#cancel = this.#clock.after(QUIET_MS, () => {
      const messages = this.#messages;
      this.#messages = 0;
      this.#onRecovered(messages);
    });
  }

  close(): void {
    this.#cancel?.();
  }
}
