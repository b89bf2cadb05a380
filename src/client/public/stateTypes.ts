/** The connection and the server as an app sees them. Types only. */
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';

export type ConnectionState =
  | { readonly name: 'connecting' }
  /** Call `client.login()` from a click. Open calls wait. */
  | { readonly name: 'needs-login'; readonly why: string }
  | {
      readonly name: 'connected';
      /** `fresh`: a new session. `resumed`: the stored one. `restarted`: the stored one was gone, a new one began. */
      readonly how: 'fresh' | 'resumed' | 'restarted';
      /** Missed messages that the server replayed. */
      readonly recovered: number;
    }
  /** Retries until it succeeds or the server refuses. */
  | {
      readonly name: 'reconnecting';
      readonly attempt: number;
      readonly retryAt: number;
      readonly why: string;
    }
  | { readonly name: 'disconnected'; readonly why: string }
  /** Only `client.connect()` or a new page tries again. `fix` is for the developer. */
  | { readonly name: 'failed'; readonly reason: FailureReason; readonly why: string; readonly fix: string }
  | { readonly name: 'closed'; readonly reason: 'closed' };

export type FailureReason =
  | 'unreachable'
  | 'cors'
  | 'not-mcp'
  | 'unsupported-version'
  | 'unauthorized'
  | 'client-id-required'
  | 'login-failed'
  | 'refused';

export interface ServerInfo {
  readonly info: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly protocolVersion: string;
  readonly instructions: string | undefined;
  /** Whether a call can be resumed: `unknown` until the server has sent its first event ID or none. */
  readonly resumable: 'yes' | 'no' | 'unknown';
}

/** `memory-only`: the store failed. The page goes on, and a reload loses what came since. */
export type StorageState =
  | { readonly name: 'stored' }
  | { readonly name: 'memory-only'; readonly reason: 'full' | 'refused'; readonly why: string };
