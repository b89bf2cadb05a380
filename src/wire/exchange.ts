/** What the recording fetch tells of one HTTP exchange, and what it is told in return. */

/** One event of a stream, or the one message of a plain JSON answer. */
export interface Frame {
  readonly id?: string;
  readonly data: string;
  /** Only of events that the listener has asked for by name. */
  readonly event?: string;
}

export type ExchangeEnd =
  /** The listener has what it came for. */
  | { readonly how: 'done' }
  | { readonly how: 'closed' }
  | { readonly how: 'broken'; readonly why: string }
  /** The listener let go. */
  | { readonly how: 'released' }
  | { readonly how: 'oversized'; readonly limitBytes: number };

export interface ResponseHead {
  readonly status: number;
  readonly durationMs: number;
  readonly url: string;
  readonly method: string;
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  /** Is the answer a stream, so that frames and an end will follow? */
  readonly streams: boolean;
}

export interface ExchangeListener {
  /** Overrides `Last-Event-ID`: only the listener knows the true position. `null` removes the header. */
  readonly lastEventId: string | null;
  /** Events with a name that are read beside the messages, which have none. */
  readonly namedEvents?: ReadonlySet<string>;
  head(head: ResponseHead): void;
  /** The fetch itself failed: no answer at all. */
  failed(error: unknown): void;
  /** The body of an answer that is neither a stream nor JSON, or that has an error status. */
  refused(status: number, body: string): void;
  /** The frames of one chunk. Returns those that the SDK must see; `done` ends the stream. */
  frames(frames: readonly Frame[]): Promise<TakenFrames>;
  retry(delayMs: number): void;
  end(end: ExchangeEnd): void;
}

export interface TakenFrames {
  readonly forward: readonly Frame[];
  readonly done: boolean;
}

/** Lets go of an exchange, before its response has come or while its stream is read, as if the network had ended it. */
export interface StreamHandle {
  release(): void;
}
