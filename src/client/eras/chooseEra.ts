/**
 * A server that answers `server/discover` may also keep sessions. Decides from a try of `initialize` which of the two
 * loses less in a reload: a session whose streams have event IDs can be resumed, and 2026-07-28 resumes nothing. Pure.
 */
import type { Era, SessionsFound } from '../../log/era.ts';

export type SessionTry =
  | { readonly kind: 'opened'; readonly hasSessionId: boolean; readonly sendsEventIds: boolean }
  /** The server responded, and began no session. */
  | { readonly kind: 'rejected'; readonly status: number | undefined }
  /** No response in time, or none that this page may read. */
  | { readonly kind: 'no-answer'; readonly error: unknown };

export interface EraChoice {
  readonly era: Era;
  readonly sessions: SessionsFound['name'];
  /** Goes after what the server said to `server/discover`. */
  readonly why: string;
}

export function chooseEra(tried: SessionTry): EraChoice {
  switch (tried.kind) {
    case 'no-answer':
      return stateless(
        'unknown',
        'The server didn’t respond to initialize, so it isn’t known if it has sessions.',
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
