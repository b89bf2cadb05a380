/**
 * A server that answers `server/discover` may also keep sessions. Decides from a GET and a try of `initialize` which of the
 * two loses less in a reload: a session whose streams have event IDs can be resumed, and 2026-07-28 resumes nothing. Pure.
 *
 * The GET comes first, because 2026-07-28 has no `initialize`: a server that speaks nothing else must not get one. Every
 * resumption is a GET, so a server without GET has nothing to win here. The standard asks servers of 2026-07-28 alone for
 * 405 ("Earlier Streamable HTTP Revisions"). Servers with sessions respond otherwise to a GET without a session ID: the SDKs
 * and mcp-proxy with 400, others with a stream.
 */
import type { Era, SessionsFound } from '../../log/era.ts';

export type SessionTry =
  /** The server has no GET. It got no `initialize`. */
  | { readonly kind: 'no-get'; readonly status: number }
  | { readonly kind: 'opened'; readonly hasSessionId: boolean; readonly sendsEventIds: boolean }
  /** The server responded, and began no session. */
  | { readonly kind: 'rejected'; readonly status: number | undefined }
  /** No response in time, or none that this page may read. */
  | { readonly kind: 'no-answer'; readonly error: unknown };

/** 501: the method isn't implemented. Any other status comes from a server that looks for something in the request. */
const NO_GET: ReadonlySet<number> = new Set([404, 405, 501]);

/** @param status of a GET without a session ID; `undefined` where there is no response that this page may read */
export function judgeGet(status: number | undefined): Exclude<SessionTry, { kind: 'opened' }> | undefined {
  if (status === undefined) return { kind: 'no-answer', error: new Error('No response to GET') };
  return NO_GET.has(status) ? { kind: 'no-get', status } : undefined;
}

export interface EraChoice {
  readonly era: Era;
  readonly sessions: SessionsFound['name'];
  /** Goes after what the server said to `server/discover`. */
  readonly why: string;
}

export function chooseEra(tried: SessionTry): EraChoice {
  switch (tried.kind) {
    case 'no-get':
      return stateless(
        'no-get',
        `The server rejects GET (HTTP ${tried.status}), which resuming needs, so Reprise didn’t try sessions.`,
      );
    case 'no-answer':
      return stateless(
        'unknown',
        'Reprise got no response when it looked for sessions, so it isn’t known if the server has any.',
      );
    case 'rejected': {
      const status = tried.status === undefined ? '' : ` (HTTP ${tried.status})`;
      return stateless('none', `The server rejected initialize${status}, so it has no sessions.`);
    }
    case 'opened':
      if (!tried.hasSessionId)
        return stateless('none', 'The server accepts initialize, but sends no session ID.');
      if (!tried.sendsEventIds)
        return stateless('no-event-ids', 'The server also has sessions, but sends no event IDs in them.');
      return {
        era: 'session',
        sessions: 'resumable',
        why: 'The server also has sessions with event IDs, so calls can be resumed after a reload.',
      };
  }
}

function stateless(sessions: SessionsFound['name'], why: string): EraChoice {
  return { era: 'stateless', sessions, why };
}
