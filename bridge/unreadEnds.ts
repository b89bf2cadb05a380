/**
 * The streams whose end no page has read yet. When a server is gone, its session is over only after that: a page that
 * hears of it before would start a new session without these ends.
 */

/** A page that is back resumes its calls at once. One that doesn't in this time never will. */
const READ_WITHIN_MS = 10_000;

export class UnreadEnds {
  readonly #streams = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly #withinMs: number;
  #wait: 'not yet' | 'running' | 'over' = 'not yet';

  constructor(withinMs = READ_WITHIN_MS) {
    this.#withinMs = withinMs;
  }

  /** Whether a page can be told that the session is over. */
  get areRead(): boolean {
    return this.#streams.size === 0 || this.#wait === 'over';
  }

  add(streamId: string): void {
    this.#streams.add(streamId);
  }

  delete(streamId: string): void {
    this.#streams.delete(streamId);
    this.#release();
  }

  /** A page is back, and its time to read them begins. */
  begin(): void {
    if (this.#wait !== 'not yet' || this.areRead) return;
    this.#wait = 'running';
    setTimeout(() => this.giveUp(), this.#withinMs).unref();
  }

  giveUp(): void {
    this.#wait = 'over';
    this.#release();
  }

  /** Resolves when they are read, or the time for it is over. */
  async untilRead(): Promise<void> {
    this.begin();
    if (!this.areRead) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #release(): void {
    if (!this.areRead) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
