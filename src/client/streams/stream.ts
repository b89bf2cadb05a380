/** The types of the stream machine: what a stream can be, what can happen to it, what it asks for. */
import type { Rank } from '../../wire/connectionBudget.ts';

/** The response of a `call` is settled by the log; a `request` (`tasks/result`) has a promise of this page waiting. */
export type Role = 'call' | 'request' | 'standalone';

/** How a connection is opened: by its POST, or by a GET with or without `Last-Event-ID`. */
export type Via = 'post' | 'resume' | 'plain';

export interface Identity {
  /** The JSON-RPC request ID; the standalone stream has a fixed one. */
  readonly id: string;
  readonly role: Role;
}

/** What every state before the end carries. */
export interface Live extends Identity {
  readonly via: Via;
  readonly lastEventId: string | undefined;
  /** The server's `retry:`. */
  readonly retryMs: number | undefined;
  readonly setbacks: Setbacks;
}

/** What went wrong since the last new message. */
export interface Setbacks {
  readonly failed: number;
  /** In a row, by a server whose session is alive. */
  readonly refused: number;
  readonly silent: number;
  /** Present while the stream cannot be followed. The connection's status is derived from this alone. */
  readonly trouble?: Trouble;
}

export interface Trouble {
  readonly code: 'page-loaded' | 'broken' | 'no-answer' | 'held' | 'unavailable' | 'refused';
  readonly status?: number;
  /** What the browser says of a network error. */
  readonly detail?: string;
}

export type Stream =
  /** Waits for one of the browser's connections. `session`: after a while it is checked without the stream. */
  | (Live & { readonly name: 'queued'; readonly session?: 'checking' | 'alive' })
  /** `isLate`: no response yet, so the session is checked. Firefox hands out a response only with its first body byte. */
  | (Live & { readonly name: 'opening'; readonly isLate?: true })
  | (Live & { readonly name: 'open' })
  | (Live & { readonly name: 'waiting'; readonly delayMs: number })
  /** Refused, or unreachable for a while: is the session alive? There is no `status` where `fetch` threw. */
  | (Live & { readonly name: 'checking'; readonly status: number | undefined })
  | (Live & { readonly name: 'unauthorized' })
  /** The server offers no standalone stream. */
  | (Identity & { readonly name: 'absent' })
  | (Identity & { readonly name: 'ended'; readonly end: End });

export type LiveStream = Exclude<Stream, { name: 'absent' | 'ended' }>;

export type End =
  /** `left`: the next page takes the stream up from storage. */
  | { readonly how: 'answered' | 'cancelled' | 'left' }
  /** `unknown`: the tool may have run. `lost`: it may be running, and its result can't be had. */
  | { readonly how: 'unknown' | 'lost' | 'failed'; readonly reason: Reason };

export type Reason =
  | { readonly code: 'no-session' | 'session-gone' | 'no-replay' | 'closed-is-cancelled' }
  /** No event ID yet, so nothing to resume from: the page closed, or the connection was lost. */
  | { readonly code: 'page-closed' | 'no-event-id' }
  | { readonly code: 'resume-blocked' }
  | { readonly code: 'resume-refused'; readonly status: number }
  /** Of a POST. */
  | { readonly code: 'no-answer' }
  | { readonly code: 'unauthorized' }
  | { readonly code: 'post-refused'; readonly status: number }
  | { readonly code: 'event-too-large'; readonly limitBytes: number };

export type StreamEvent =
  | {
      readonly kind: 'place-granted' | 'place-wanted' | 'opened' | 'closed' | 'network-back';
    }
  | { readonly kind: 'network-error'; readonly detail?: string }
  | { readonly kind: 'session-alive' | 'session-unreachable' | 'session-gone' | 'server-suspected' }
  | { readonly kind: 'unauthorized' | 'authorized' | 'cancelled' | 'leaving' }
  /** The response to this stream's request, on whatever stream it came. */
  | { readonly kind: 'response' }
  /** One chunk of events. A priming event and what was received before are not new. */
  | { readonly kind: 'received'; readonly eventId?: string; readonly isNew: boolean }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'oversized'; readonly limitBytes: number }
  /** The one timer of the state is over. `awaitsUser`: the call has asked the user something. */
  | { readonly kind: 'timer'; readonly awaitsUser: boolean };

export type Effect =
  | { readonly kind: 'askForPlace'; readonly rank: Rank }
  /** Aborts the connection, if there is one, and gives its place back. */
  | { readonly kind: 'release' }
  | { readonly kind: 'post' | 'checkSession' | 'awaitLogin' | 'suspectServer' }
  | { readonly kind: 'get'; readonly lastEventId: string | undefined }
  | { readonly kind: 'startTimer'; readonly delayMs: number }
  | { readonly kind: 'declare'; readonly end: End };

export interface Step {
  readonly stream: Stream;
  readonly effects: readonly Effect[];
}

export interface Policy {
  readonly hasSession: boolean;
  /** Of the events of this session: have they had IDs? Not known before the first. */
  readonly sendsEventIds: boolean | undefined;
  /** No longer true once it has refused to resume: then no stream gives its place to another. */
  readonly canResume: boolean;
  /** MCP 2026-07-28: no event IDs, and the end of a response stream cancels its request. */
  readonly closeCancels: boolean;
  readonly failuresBeforeCheck: number;
  readonly refusalsBeforeGivingUp: number;
  /** For a server that is about to be ready. */
  readonly quick: Backoff;
  /** For a server that does not answer, or asks for patience. */
  readonly calm: Backoff;
  /** How long a resumed stream may be silent while its response is awaited. */
  readonly silence: Backoff;
  /** How long a resumed standalone stream may be silent before a plain GET replaces it. */
  readonly deafAfterMs: number;
  /** How long a GET may take to be answered before the session is checked. */
  readonly lateAfterMs: number;
  /** How long the standalone stream may wait for a connection before the session is checked. */
  readonly queuedAfterMs: number;
}

export interface Backoff {
  readonly firstMs: number;
  readonly capMs: number;
}
