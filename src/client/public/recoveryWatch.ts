/** Tells when a resume is complete: the burst of missed messages is over when none has come for a moment. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Entry } from '../../log/entry/entry.ts';

const QUIET_MS = 300;

export class RecoveryWatch {
  /** So many missed messages were recovered. */
  readonly recovered = new Emitter<number>();
  readonly #clock: Clock;
  #messages = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  heed(entries: readonly Entry[]): void {
    const replayed = entries.filter((entry) => entry.kind === 'received' && entry.replayed).length;
    if (replayed === 0) return;
    this.#messages += replayed;
    this.#cancel?.();
    this.#cancel = this.#clock.after(QUIET_MS, () => {
      const messages = this.#messages;
      this.#messages = 0;
      this.recovered.emit(messages);
    });
  }

  close(): void {
    this.#cancel?.();
  }
}
