/** What the connection to one server is doing, as data: the status sentence is drawn from nothing else. */
export type ConnectionState =
  | { readonly name: 'idle' }
  | { readonly name: 'connecting'; readonly url: string }
  /** Only a person can help: by logging in, with a client id that the authorization server knows, or with credentials. */
  | {
      readonly name: 'authorizing';
      readonly why: string;
      readonly reason?: string;
      readonly ask: 'login' | 'client' | 'credentials';
    }
  | {
      readonly name: 'connected';
      readonly how: 'fresh' | 'resumed' | 'restarted';
      /** Events that the server replayed because this page had missed them. */
      readonly recovered?: number;
      /** What coming back has cost, in words. */
      readonly note?: string;
      /** Why it had to come back, for machines. */
      readonly reason?: string;
      readonly cost?: ReturnCost;
    }
  | {
      readonly name: 'reconnecting';
      readonly attempt: number;
      readonly retryAt: number;
      readonly why: string;
      readonly reason?: string;
    }
  | { readonly name: 'disconnected'; readonly why: string; readonly reason?: string }
  | ({ readonly name: 'failed' } & Failure);

/** What coming back has cost, for machines. */
export interface ReturnCost {
  readonly callsLost: number;
  readonly questionsExpired: number;
}

export interface Failure {
  readonly why: string;
  readonly reason?: string;
  readonly fix: string;
  /** What to put into the server, as it stands. */
  readonly paste?: string;
  /** The same server answers there: on its own origin, so what was given for it may go there. */
  readonly elsewhere?: string;
}

/** Is there a connection that a new page load should take up again? */
export function isWanted(state: ConnectionState): boolean {
  return state.name === 'connecting' || state.name === 'connected' || state.name === 'reconnecting';
}
