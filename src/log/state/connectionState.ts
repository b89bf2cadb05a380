/** What the connection to one server is doing, as data: the status sentence is drawn from nothing else. */
import type { Era } from '../protocol/era.ts';
import type { Reason } from '../reasons/reason.ts';
import type { ListChange } from '../reasons/reasonFacts.ts';

export type ConnectionState =
  | { readonly name: 'idle' }
  | { readonly name: 'connecting'; readonly url: string }
  /** Only a person can help: by logging in, with a client id that the authorization server knows, or with credentials. */
  | {
      readonly name: 'authorizing';
      readonly reason: Reason;
      readonly ask: 'login' | 'client' | 'credentials';
    }
  | {
      readonly name: 'connected';
      readonly how: 'fresh' | 'resumed' | 'restarted';
      /** Events that the server replayed because this page had missed them. */
      readonly recovered?: number;
      /** Why it had to come back. */
      readonly reason?: Reason;
      readonly cost?: ReturnCost;
    }
  | {
      readonly name: 'reconnecting';
      readonly attempt: number;
      readonly retryAt: number;
      readonly reason: Reason;
    }
  | { readonly name: 'disconnected'; readonly reason: Reason }
  | ({ readonly name: 'failed' } & Failure);

/** What a new session has cost, and what has changed with it. */
export interface ReturnCost {
  readonly callsLost: number;
  readonly questionsExpired: number;
  /** Were the lists read again? */
  readonly hasLists?: boolean;
  readonly era?: EraChange;
  readonly changes?: readonly ListChange[];
}

export interface EraChange {
  readonly era: Era;
  readonly version: string;
  readonly oldVersion: string;
  /** The old HTTP+SSE transport: the server speaks it now, or spoke it before. */
  readonly sse?: 'now' | 'before';
}

export interface Failure {
  readonly reason: Reason;
  /** What to put into the server, as it stands. */
  readonly paste?: string;
  /** The same server answers there: on its own origin, so what was given for it may go there. */
  readonly elsewhere?: string;
  /** It answers there over the old HTTP+SSE transport. */
  readonly isElsewhereOldSse?: boolean;
}

/** Is there a connection that a new page load should take up again? */
export function shouldReconnect(state: ConnectionState): boolean {
  return state.name === 'connecting' || state.name === 'connected' || state.name === 'reconnecting';
}
