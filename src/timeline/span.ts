/** What took time, from one entry of the log to another. */
import type { Call } from '../log/state/call.ts';
import type { Entry } from '../log/entry/entry.ts';

/** `no`: the server was asked whether it supports something, and does not. */
export type SpanEnd = 'open' | 'done' | 'no' | 'failed' | 'lost' | 'unknown' | 'cancelled' | 'expired';

export interface Span {
  readonly label: string;
  readonly first: number;
  readonly from: number;
  last: number | undefined;
  to: number | undefined;
  end: SpanEnd;
}

export interface CallSpan extends Span {
  readonly callId: string;
  readonly tool: string;
  readonly era: Call['era'];
  readonly args: string;
  sent: number | undefined;
  result: number | undefined;
  readonly https: number[];
  readonly questions: number[];
}

export interface RequestSpan extends Span {
  readonly stream: string;
  http: number | undefined;
  readonly isTask: boolean;
}

/** One HTTP exchange whose answer is read as a stream: the call's POST, or a GET that resumes. */
export interface StreamConnectionSpan extends Span {
  readonly stream: string;
  readonly callId: string | undefined;
  readonly httpMethod: string;
  readonly status: number;
  readonly resumedFrom: string | undefined;
  firstMessageAt: number | undefined;
  /** Missed events that it has delivered. */
  replayed: number;
  /** When the last of them came. */
  replayedTo: number | undefined;
}

export interface QuestionSpan extends Span {
  readonly requestId: string;
  readonly callId: string | undefined;
}

export interface LoadSpan {
  readonly load: number;
  readonly first: number;
  readonly from: number;
  /** The last moment that the page is known to have been there. */
  to: number;
  /** `unseen`: it may have been there for longer. `left`: it was reloaded. `taken-over`: another tab was there at once. */
  end: 'unseen' | 'left' | 'taken-over';
}

/** How long the exchange took that this entry ends, and which earlier entry began it. */
export interface SpanDuration {
  readonly durationMs: number;
  readonly began?: number;
}

export function span({ seq, at }: Pick<Entry, 'seq' | 'at'>, label: string, end: SpanEnd = 'open'): Span {
  return { label, first: seq, from: at, last: undefined, to: undefined, end };
}

export function close(
  open: Span | undefined,
  at: number,
  seq: number | undefined,
  end: SpanEnd,
): SpanDuration | undefined {
  return open?.to === undefined ? correct(open, at, seq, end) : undefined;
}

/** Ends a span that may have ended before: what became of it is known better now. */
export function correct(
  ended: Span | undefined,
  at: number,
  seq: number | undefined,
  end: SpanEnd,
): SpanDuration | undefined {
  if (!ended) return undefined;
  ended.to = Math.max(at, ended.from);
  ended.last = seq;
  ended.end = end;
  return { durationMs: ended.to - ended.from, began: ended.first };
}
