/** What a server's way of the protocol means, in words. */
import { duration } from '../../base/format.ts';
import { isFresh, type CacheHint } from '../../log/protocol/cacheHint.ts';
import type { Era, EraVerdict, SessionsFound } from '../../log/protocol/era.ts';

export function eraWords({ era, transport }: EraVerdict): string {
  if (transport) return 'HTTP+SSE (deprecated): a reload ends the session';
  return era === 'stateless' ? 'stateless: a reload cancels running calls' : 'with sessions';
}

export interface WayWords {
  /** Which of the two ways of the protocol is used, and what a reload means there. */
  readonly sentence: string;
  readonly checkedAt: number;
  /** The other way, where the server may have it. */
  readonly other?: { readonly era: Era; readonly label: string };
}

/** For a server that answers `server/discover`: it may have sessions too. */
export function wayWords({ era, protocolVersion, sessions }: EraVerdict): WayWords | undefined {
  if (!sessions) return undefined;
  const { checkedAt } = sessions;
  if (era === 'session') {
    const other = { era: 'stateless', label: 'Use 2026-07-28 (stateless)' } as const;
    return {
      sentence: `Uses sessions (${protocolVersion}): ${reloadWords(sessions)} there.`,
      checkedAt,
      other,
    };
  }
  const used = `Uses ${protocolVersion} (stateless): a reload cancels running calls.`;
  const other = { era: 'session', label: 'Use sessions (2025-11-25)' } as const;
  switch (sessions.name) {
    case 'resumable':
      return { sentence: `${used} With sessions, a reload can resume them.`, checkedAt, other };
    case 'refused':
      return {
        sentence: `${used} The server also has sessions, but it rejected a resume there.`,
        checkedAt,
        other,
      };
    case 'no-event-ids':
      return {
        sentence: `${used} The server also has sessions, but they have no event IDs.`,
        checkedAt,
        other,
      };
    case 'none':
      return { sentence: `${used} The server has no sessions.`, checkedAt };
    case 'untried':
      return {
        sentence: `${used} Reprise found no sign of sessions, so it didn’t try them.`,
        checkedAt,
        other,
      };
    case 'unknown':
      return { sentence: `${used} The server may also have sessions.`, checkedAt, other };
  }
}

function reloadWords({ name }: SessionsFound): string {
  if (name === 'resumable') return 'a reload can resume calls';
  return name === 'refused' ? 'the server rejected a resume' : 'no event IDs were seen';
}

/** "public, expires in 4 min", "expired" */
export function cacheWords(hint: CacheHint, now: number): string {
  if (!isFresh(hint, now)) return 'expired';
  const who = hint.scope === 'public' ? 'public' : 'private';
  return `${who}, expires in ${duration(hint.at + hint.ttlMs - now)}`;
}
