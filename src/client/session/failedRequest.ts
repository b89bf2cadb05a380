/** What a POST that failed means for its call, and what is left to do for the session. */
import type { Calls } from '../calls/calls.ts';
import type { CatalogSync } from '../catalog/catalogSync.ts';
import type { ServerLink } from '../link/serverLink.ts';
import type { RequestFailure } from '../streams/linkEvent.ts';

export interface FailedRequestParts {
  readonly calls: Calls;
  readonly lists: CatalogSync;
  readonly link: Pick<ServerLink, 'blocked'>;
}

export function settleFailedRequest(
  { request, callId, verdict, outcome }: RequestFailure,
  { calls, lists, link: { blocked } }: FailedRequestParts,
): 'login-needed' | 'session-gone' | 'settled' {
  if (verdict.name === 'unauthorized' && blocked) {
    if (callId !== undefined) calls.refuse(callId, verdict, blocked.reason);
    // What a handshake has met is explained when it has failed.
    return request === 'initialize' || request === 'probe' ? 'settled' : 'login-needed';
  }
  if (callId !== undefined && calls.mayRetryMismatch(callId, outcome)) {
    void calls.retryAfterMismatch(callId, () => lists.refresh());
    return 'settled';
  }
  if (callId !== undefined) calls.fail(callId, verdict, outcome);
  return verdict.name === 'session-gone' ? 'session-gone' : 'settled';
}
