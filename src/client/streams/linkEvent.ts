/** What a connection reports while it is in use. The session's interpreter handles every kind (session/serverSession.ts). */
import type { Reason } from '../../log/reasons/reason.ts';
import type { FailedRequest, Outcome, Verdict } from '../exchange/classifyFailure.ts';

export type LinkEvent =
  /** The server responds, and no stream waits for its next try. */
  | { readonly kind: 'healthy' }
  | { readonly kind: 'trouble'; readonly attempt: number; readonly retryAt: number; readonly reason: Reason }
  | { readonly kind: 'session-gone'; readonly reason: Reason }
  /** Only the user can help: nothing is tried again until then. */
  | { readonly kind: 'login-needed'; readonly ask: 'login' | 'client'; readonly reason: Reason }
  /** A POST failed. What becomes of its call is decided by whoever hears of it. */
  | { readonly kind: 'request-failed'; readonly failure: RequestFailure }
  /** A stateless server has said which resources it will tell of. */
  | {
      readonly kind: 'subscribed';
      readonly asked: readonly string[];
      readonly agreed: readonly string[];
      readonly refusal: Reason;
    };

export type EmitLinkEvent = (event: LinkEvent) => void;

export interface RequestFailure {
  readonly request: FailedRequest;
  readonly callId: string | undefined;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
}
