/** What the streams of a connection need, and what they report. */
import type { Reason } from '../../log/reasons/reason.ts';
import type { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { FailedRequest, Outcome, Verdict } from '../exchange/classifyFailure.ts';
import type { SessionHealth } from '../exchange/sessionCheck.ts';
import type { Recording } from '../exchange/streamExchange.ts';

export interface Trouble {
  readonly reason: Reason;
  readonly attempt: number;
  readonly retryAt: number;
}

export interface StreamsOptions extends Recording {
  readonly budget: ConnectionBudget;
  readonly hasSession: () => boolean;
  readonly isStateless: () => boolean;
  /** Opens a GET whose `Last-Event-ID` is this key; `listening` puts the true event ID in its place. */
  readonly open: (key: string) => Promise<void>;
  readonly checkSession: () => Promise<SessionHealth>;
  readonly onSessionGone: (reason: Reason) => void;
  /** @returns whether the connection waits for a login now, so that nothing is tried again */
  readonly onUnauthorized: () => boolean;
  readonly onTrouble: (trouble: Trouble) => void;
  readonly onHealthy: () => void;
  /** A POST failed: the request's own fate is decided elsewhere. */
  readonly onPostFailed: (failure: PostFailure) => void;
}

export interface PostFailure {
  readonly request: FailedRequest;
  readonly callId: string | undefined;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
}

/** Tells who waits for a response that it won't come here; `left`: another page takes the stream up. */
export type OnLost = (how: 'lost' | 'left') => void;
