/** Which of the two ways of the protocol a server speaks, and how that is known. */
import type { Reason } from '../reasons/reason.ts';

/**
 * `session`: a handshake, a session, streams that can be resumed (up to 2025-11-25).
 * `stateless`: every request by itself, a closed stream cancels (from 2026-07-28).
 */
export type Era = 'session' | 'stateless';

export interface EraVerdict {
  readonly era: Era;
  readonly protocolVersion: string;
  /** Over the old HTTP+SSE transport of 2024-11-05, whose sessions end with their page. */
  readonly transport?: 'sse';
  /** How it is known. */
  readonly reason: Reason;
  readonly at: number;
  /** Of a server that answers `server/discover`: what is known of its sessions. */
  readonly sessions?: SessionsFound;
}

/** Found out once for each version of a server, and kept. */
export interface SessionsFound {
  /**
   * `resumable`: its streams have event IDs there. `refused`: they have, and a resume was rejected. `none`: it gave no
   * session. `untried`: a GET showed no sign of sessions. `unknown`: it gave no response.
   */
  readonly name: 'resumable' | 'refused' | 'no-event-ids' | 'none' | 'untried' | 'unknown';
  readonly checkedAt: number;
  /** The name and version that the server had then. */
  readonly server: string;
}

export function verdictOf(found: EraVerdict): EraVerdict {
  const { era, protocolVersion, transport, reason, at, sessions } = found;
  return {
    era,
    protocolVersion,
    ...(transport && { transport }),
    reason,
    at,
    ...(sessions && { sessions }),
  };
}

/** Event IDs are a sign that a server can resume, and no proof. */
export function withRefusedResume(found: EraVerdict, at: number): EraVerdict {
  const { sessions } = found;
  if (sessions?.name !== 'resumable') return found;
  return { ...found, sessions: { ...sessions, name: 'refused', checkedAt: at } };
}

/** A server may stream only its responses to `tools/call`, which no check sends. */
export function withEventIds(found: EraVerdict, at: number): EraVerdict {
  const { sessions, era } = found;
  if (!sessions || era !== 'session') return found;
  return { ...found, sessions: { ...sessions, name: 'resumable', checkedAt: at } };
}
