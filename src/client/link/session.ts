/** What of a connection outlives its page. */
import type { DiscoverResult, InitializeResult } from '@modelcontextprotocol/client';

export interface Session {
  /** Servers without sessions give none. */
  readonly sessionId?: string;
  readonly protocolVersion: string;
  /** The stored answer to `initialize`, from which the handshake is replayed; else what a discovery says of the same. */
  readonly handshake: InitializeResult;
  readonly startedAt?: number;
  /** The stored answer to `server/discover`: there is no session, every request stands by itself. */
  readonly discover?: DiscoverResult;
  /** Over the old HTTP+SSE transport: the session ends with its page, and is never taken up. */
  readonly transport?: 'sse';
}

export type WireName = 'streamable-http' | 'old-sse';

/** The way that a stored session was begun on. */
export function wireOf(session: Pick<Session, 'transport'> | undefined): WireName {
  return session?.transport === 'sse' ? 'old-sse' : 'streamable-http';
}
