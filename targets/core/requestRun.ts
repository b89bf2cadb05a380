/** One run of what a POST asked for, be it a request or a batch of them, and what a repeated POST needs to join it. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** `stored`: its events are in the event store. `kept`: there is none for them, so the run keeps its answers. */
export type RunKind = 'stored' | 'kept';

/** A stream in the event store, and the ID of its first event. */
export interface StoredPlace {
  readonly streamId: string;
  readonly start: string;
}

export class RequestRun {
  readonly digest: string;
  readonly kind: RunKind;
  /** Resolves when the first POST has its response, and so a place in the event store, or none. */
  readonly opened: Promise<void>;
  /** Resolves when every request has its answer or was cancelled, and when the session ends. */
  readonly over: Promise<void>;
  readonly #unanswered: Set<RequestId>;
  #answers: string[] = [];
  #place: StoredPlace | undefined;
  #isOver = false;
  #resolveOpened: () => void = () => undefined;
  #resolveOver: () => void = () => undefined;

  constructor(ids: readonly RequestId[], digest: string, kind: RunKind) {
    this.digest = digest;
    this.kind = kind;
    this.#unanswered = new Set(ids);
    this.opened = new Promise((resolve) => (this.#resolveOpened = resolve));
    this.over = new Promise((resolve) => (this.#resolveOver = resolve));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get place(): StoredPlace | undefined {
    return this.#place;
  }

  /** As JSON; none if it was cancelled, or if they are no longer kept. */
  get answers(): readonly string[] {
    return this.#answers;
  }

  open(place: StoredPlace | undefined): void {
    this.#place = place;
    this.#resolveOpened();
  }

  /** Says how many characters it keeps of the answer. */
  settle(id: RequestId, answer: JSONRPCMessage | undefined): number {
    const text = answer && this.kind === 'kept' ? JSON.stringify(answer) : undefined;
    if (text !== undefined) this.#answers.push(text);
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.end();
    return text?.length ?? 0;
  }

  end(): void {
    this.#isOver = true;
    this.#resolveOver();
  }

  /** Says how many characters that were. */
  dropAnswers(): number {
    const chars = this.#answers.reduce((sum, { length }) => sum + length, 0);
    this.#answers = [];
    return chars;
  }
}
