/** The wire log as developer tools see it. Types only. */
import type { WaitOptions } from './clientTypes.ts';

export interface Inspector {
  /** Whether this tab holds the connection. */
  readonly tab: 'undecided' | 'leading' | 'following';
  /** Stored entries, then new ones as they come. Ends when `signal` aborts or the client closes. */
  entries(options?: WaitOptions & { readonly since?: number | undefined }): AsyncIterable<LogEntry>;
  /** Redacted JSON. The inspector app can import it. */
  exportLog(): Promise<string>;
  /** Resolves when everything so far is in the store. */
  stored(): Promise<void>;
}

export interface LogEntry {
  readonly seq: number;
  readonly at: number;
  /** Which page load saw it, counted from 1. */
  readonly load: number;
  readonly server: string;
  readonly kind: string;
  readonly stream?: string;
  readonly eventId?: string;
  readonly replayed?: boolean;
  readonly callId?: string;
  /** The JSON-RPC message, redacted. */
  readonly message?: object;
}
