/** What the recording fetch tells of one HTTP exchange, and what it is told in return. */
import type { EventBytes } from './heldBytes.ts';

/** One event of a stream, or the one message of a plain JSON answer. */
export interface Frame {
  readonly id?: string;
  readonly data: string;
  /** Only of events that were asked for by name. */
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
  head(head: ResponseHead): void;
  /** The fetch itself failed: no answer at all. */
  failed(error: unknown): void;
  /** The body of an answer that is neither a stream nor JSON, or that has an error status. */
  refused(status: number, body: string): void;
  /** Whole events of a stream. Returns the frames that the transport must see; `done` ends the stream. */
  events(bytes: EventBytes): Promise<TakenFrames>;
  /** The one message of a plain JSON answer. */
  frames(frames: readonly Frame[]): Promise<TakenFrames>;
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
