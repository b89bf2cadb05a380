/**
 * Hands on what a stream brings. The first events go at once; while they are on their way, what follows is gathered, because
 * WebKit gives out a burst as thousands of tiny chunks. What is on its way is limited, so that a burst doesn't pile up.
 */
import { nextTask } from '../base/yieldToEventLoop.ts';
import { HeldBytes, type EventBytes } from './heldBytes.ts';
import { joined } from './joined.ts';

/** Whole events. Resolves when they are recorded; with `false`, no more are wanted. */
export type OnEvents = (bytes: EventBytes) => Promise<boolean>;

/** Gathered up to this, however much is on its way. */
const BATCH_BYTES = 65_536;
/** Enough to keep a recorder in another thread busy. */
const MOST_SENT_BYTES = 2_000_000;

export class EventSender {
  readonly #onEvents: OnEvents;
  readonly #onStop: () => void;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #sentBytes = 0;
  #isStopped = false;
  #failure: { readonly error: unknown } | undefined;
  /** Called when something has arrived. */
  #onArrived: (() => void) | undefined;

  constructor(onEvents: OnEvents, onStop: () => void) {
    this.#onEvents = onEvents;
    this.#onStop = onStop;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resolves when there is room for more. */
  async add(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) {
      this.#gathered.push(part);
      this.#gatheredBytes += part.length;
    }
    if (this.#sentBytes === 0 || this.#gatheredBytes >= BATCH_BYTES) this.#send();
    await this.#room();
  }

  /** These are gathered where they are. Resolves when there is room for more. */
  async addHeld(held: HeldBytes): Promise<void> {
    this.#send();
    if (!this.#isStopped && !this.#failure) this.#begin(held);
    await this.#room();
  }

  /** Resolves when everything has arrived. */
  async drained(): Promise<void> {
    this.#send();
    while (this.#sentBytes > 0) await this.#arrival();
    if (this.#failure) throw this.#failure.error;
  }

  #send(): void {
    if (this.#gatheredBytes === 0 || this.#isStopped || this.#failure) return;
    const bytes = joined(this.#gathered, this.#gatheredBytes);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#begin(bytes);
  }

  #begin(bytes: EventBytes): void {
    this.#sentBytes += bytes.length;
    void this.#deliver(bytes);
  }

  async #deliver(bytes: EventBytes): Promise<void> {
    try {
      if (!(await this.#onEvents(bytes))) this.#stop();
      // A recorder in this thread is done at once, and nothing would be gathered.
      if (!(bytes instanceof HeldBytes)) await nextTask();
    } catch (error) {
      this.#failure ??= { error };
      this.#stop();
    }
    this.#sentBytes -= bytes.length;
    if (this.#sentBytes === 0) this.#send();
    this.#onArrived?.();
  }

  async #room(): Promise<void> {
    while (this.#sentBytes > MOST_SENT_BYTES) await this.#arrival();
    if (this.#failure) throw this.#failure.error;
  }

  #stop(): void {
    this.#isStopped = true;
    this.#onStop();
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#onArrived = resolve;
    });
  }
}
