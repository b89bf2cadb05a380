/** Tells when a resume is complete: the burst of missed messages is over when none has come for a moment. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { EntryBatch } from '../../log/entry/entryBatch.ts';
import { isRun, runLength, type Packed } from '../../log/entry/entryRun.ts';

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

  heed({ packed }: EntryBatch): void {
    const replayed = packed.reduce((sum, item) => sum + replayedIn(item), 0);
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

function replayedIn(item: Packed): number {
  if (isRun(item)) return item.replayed ? runLength(item) : 0;
  return item.kind === 'received' && item.replayed ? 1 : 0;
}
