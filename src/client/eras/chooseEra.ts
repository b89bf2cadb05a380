/**
 * A server that answers `server/discover` may also keep sessions. Decides from a try of `initialize` which of the two
 * loses less in a reload: a session whose streams have event IDs can be resumed, and 2026-07-28 resumes nothing. Pure.
 */
import type { Era, SessionsFound } from '../../log/era.ts';
import type { SessionsTried } from '../../log/reasonFacts.ts';

export type SessionTry =
  | { readonly kind: 'opened'; readonly hasSessionId: boolean; readonly sendsEventIds: boolean }
  /** The server responded, and began no session. */
  | { readonly kind: 'rejected'; readonly status: number | undefined }
  /** No response in time, or none that this page may read. */
  | { readonly kind: 'no-answer'; readonly error: unknown };

export interface EraChoice {
  readonly era: Era;
  readonly sessions: SessionsFound['name'];
  /** What was seen, for the reason. */
  readonly tried: SessionsTried;
}

export function chooseEra(tried: SessionTry): EraChoice {
  switch (tried.kind) {
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
