/**
 * Whole events that are in the thread that records them: this one only says when they are to be recorded. If that thread
 * stops recording, it hands them over.
 */
export class HeldBytes {
  readonly key: number;
  readonly length: number;
  /** Since they were handed over. */
  bytes: Uint8Array | undefined;
  readonly #forget: () => void;

  constructor(key: number, length: number, forget: () => void) {
    this.key = key;
    this.length = length;
    this.#forget = forget;
  }

  /** They are recorded. */
  forget(): void {
    this.#forget();
  }
}

/** Events of a stream, here or elsewhere. */
export type EventBytes = Uint8Array | HeldBytes;
