/**
 * A server that answers `server/discover` may also keep sessions. Decides from a GET and a try of `initialize` which of the
 * two loses less in a reload: a session whose streams have event IDs can be resumed, and 2026-07-28 resumes nothing. Pure.
 *
 * The GET comes first, because 2026-07-28 has no `initialize`: a server that speaks nothing else must not get one. The
 * standard asks such a server for 405 ("Earlier Streamable HTTP Revisions"), and every resumption is a GET. Servers with
 * sessions miss the session ID and say so: the SDKs and mcp-proxy with 400.
 */
import type { Era, SessionsFound } from '../../log/protocol/era.ts';
import type { SessionsTried } from '../../log/reasons/reasonFacts.ts';

export type SessionTry =
  /** A GET without a session ID had this status, which is no sign of sessions. The server got no `initialize`. */
  | { readonly kind: 'untried'; readonly status: number }
  | { readonly kind: 'opened'; readonly hasSessionId: boolean; readonly sendsEventIds: boolean }
  /** The server responded, and began no session. */
  | { readonly kind: 'rejected'; readonly status: number | undefined }
  /** No response in time, or none that this page may read. */
  | { readonly kind: 'no-answer'; readonly error: unknown };

/** @param status of a GET without a session ID; `undefined` where there is no response that this page may read */
export function judgeGet(status: number | undefined): Exclude<SessionTry, { kind: 'opened' }> | undefined {
  if (status === undefined || status === 408 || status === 429 || (status >= 500 && status !== 501))
    return { kind: 'no-answer', error: new Error('No response to GET') };
  // A stream without a session has nothing to come back to. 404, 405 and 501: there is no GET.
  if (status < 400 || status === 404 || status === 405 || status === 501) return { kind: 'untried', status };
  return undefined;
}

export interface EraChoice {
  readonly era: Era;
  readonly sessions: SessionsFound['name'];
  /** What was seen, for the reason. */
  readonly tried: SessionsTried;
}

export function chooseEra(tried: SessionTry): EraChoice {
  switch (tried.kind) {
    case 'untried':
      return stateless('untried', { how: 'untried', status: tried.status });
    case 'no-answer':
      return stateless('unknown', { how: 'no-answer' });
    case 'rejected': {
      const { status } = tried;
      return stateless('none', { how: 'rejected', ...(status !== undefined && { status }) });
    }
    case 'opened':
      if (!tried.hasSessionId) return stateless('none', { how: 'no-session-id' });
      if (!tried.sendsEventIds) return stateless('no-event-ids', { how: 'no-event-ids' });
      return { era: 'session', sessions: 'resumable', tried: { how: 'resumable' } };
  }
}

function stateless(sessions: SessionsFound['name'], tried: SessionsTried): EraChoice {
  return { era: 'stateless', sessions, tried };
}
