/** Why something is as it is, for machines: a code beside every sentence that an entry holds. */
import type { Entry } from './entry.ts';

/** What a page did, or what happened to it. */
type PageReason =
  'page-loaded' | 'page-closed' | 'owner-tab-closed' | 'offline' | 'imported' | 'log-ended' | 'log-full';
type UserReason =
  | 'user-disconnected'
  | 'user-cancelled'
  | 'user-declined'
  | 'user-completed'
  | 'url-opened'
  | 'logged-in'
  | 'login-skipped'
  | 'login-failed'
  | 'login-needed'
  | 'client-needed'
  | 'credentials-needed'
  | 'credentials-entered'
  | 'chosen';
/** What a server responded, or did not. */
type ServerReason =
  | 'session-ended'
  | 'session-blocked'
  | 'sessions-forgotten'
  | 'session-id-hidden'
  | 'restarted'
  | 'server-changed'
  | 'lists-changed'
  | 'lists-failed'
  | 'url-changed'
  | 'protocol-version'
  | 'protocol-version-changed'
  | 'no-answer'
  | 'unavailable'
  | 'rate-limited'
  | 'unauthorized'
  | 'forbidden'
  | 'bridge-token'
  | 'refused'
  | 'redirected'
  | 'not-mcp'
  | 'handshake-failed'
  | 'rpc-error'
  | 'http-error'
  | 'taken-back'
  | 'probe-answered'
  | 'probe-refused'
  | 'probe-blocked'
  | 'probe-silent'
  | 'old-sse';
/** What a browser does not let a page do. */
type BrowserReason = 'cors' | 'mixed-content' | 'local-network' | 'wrong-scheme' | 'unreachable';
/** What became of a stream, a call, a task or a question. */
type StreamReason =
  | 'broken'
  | 'held'
  | 'no-session'
  | 'session-gone'
  | 'no-replay'
  | 'no-event-id'
  | 'closed-is-cancelled'
  | 'resume-blocked'
  | 'resume-refused'
  | 'post-refused'
  | 'event-too-large'
  | 'message-too-large'
  | 'not-processed'
  | 'not-json'
  | 'deaf-stream'
  | 'no-connection'
  | 'no-stream'
  | 'stream-refused'
  | 'not-sent'
  | 'timed-out'
  | 'secret-not-stored'
  | 'too-many-rounds'
  | 'call-ended'
  | 'progress-went-back'
  | 'progress-doubled'
  | 'second-response'
  | 'reloaded'
  | 'rule'
  | 'roots'
  | 'task-cancelled'
  | 'task-expired'
  | 'task-unknown'
  | 'task-odd'
  | 'storage-damaged';

export type ReasonCode = PageReason | UserReason | ServerReason | BrowserReason | StreamReason;

export interface Cause {
  /** In words. */
  readonly why: string;
  readonly reason: ReasonCode;
}

/** The code of an entry, whatever part of it has one. Entries of earlier versions have none. */
export function reasonOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'state':
      return 'reason' in entry.state ? entry.state.reason : undefined;
    case 'call':
    case 'question':
    case 'task':
      return 'reason' in entry.change ? entry.change.reason : undefined;
    case 'load':
    case 'era':
    case 'malformed':
    case 'stream-end':
    case 'note':
      return entry.reason;
    default:
      return undefined;
  }
}
