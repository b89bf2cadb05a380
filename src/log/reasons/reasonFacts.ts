/**
 * Every code of a reason, and the facts that its sentence needs. The types are made from this table, and files that are
 * imported are checked against it.
 */
import type { Era } from '../protocol/era.ts';
import { LIST_NAMES } from './listNames.ts';
import type { Reason } from './reason.ts';

/** What a reason can carry: a name has one type, whatever the code. */
export interface Facts {
  /** HTTP. */
  readonly status: number;
  /** JSON-RPC. */
  readonly rpcCode: number;
  readonly afterMs: number;
  readonly timeoutMs: number;
  readonly backgroundMs: number;
  readonly ttlMs: number;
  readonly limitBytes: number;
  readonly usedBytes: number;
  readonly rounds: number;
  readonly pairs: number;
  readonly pages: number;
  readonly from: number;
  readonly to: number;
  readonly skipped: number;
  readonly removed: number;
  readonly first: number;
  readonly last: number;
  readonly logins: number;
  readonly tasks: number;
  readonly questions: number;
  readonly cancelled: number;
  /** Which of several cases it was, in words of this page. */
  readonly how: string;
  readonly era: Era;
  /** The words of a server, of the browser or of a library. */
  readonly text: string;
  readonly host: string;
  readonly url: string;
  readonly newUrl: string;
  readonly origin: string;
  readonly contentType: string;
  readonly scope: string;
  readonly name: string;
  readonly was: string;
  readonly now: string;
  readonly version: string;
  readonly versions: readonly string[];
  readonly names: readonly string[];
  readonly changes: readonly ListChange[];
  readonly because: Reason;
  readonly sessions: SessionsTried;
  /** Of a sentence that an earlier version has stored: the code that it was stored with. */
  readonly oldCode: string;
  /** Of such a sentence: what to do about it. */
  readonly fix: string;
}

export type Consequence =
  | 'answer-not-awaited'
  | 'result-unreachable'
  | 'new-session'
  | 'not-run'
  | 'not-run-call-again'
  | 'may-have-run';

/** What `initialize` has shown of a server that answers `server/discover`. */
export interface SessionsTried {
  readonly how: 'resumable' | 'no-event-ids' | 'no-session-id' | 'rejected' | 'untried' | 'no-answer';
  readonly status?: number;
}

/** What has changed in a list. Of many names only the first are kept. */
export interface ListChange {
  readonly list: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  readonly added: Few;
  readonly removed: Few;
  readonly changed: FewChanged;
}

export interface Few {
  readonly number: number;
  /** Left out where an export has no content. */
  readonly names?: readonly string[];
}

export interface FewChanged {
  readonly number: number;
  readonly items?: readonly { readonly name: string; readonly fields: readonly string[] }[];
}

interface Shape {
  readonly needs?: readonly (keyof Facts)[];
  /** Texts of others are always here: an export without content has none. */
  readonly may?: readonly (keyof Facts)[];
  /** The cases that `how` tells apart. */
  readonly how?: readonly string[];
}

export const REASONS = {
  // What a page did, or what happened to it.
  'page-loaded': {},
  'page-closed': {},
  'owner-tab-closed': {},
  'part-missing': { may: ['text'] },
  offline: {},
  imported: { needs: ['skipped'], may: ['name'] },
  'log-ended': {},
  'log-full': { may: ['removed'] },
  'storage-almost-full': { needs: ['usedBytes', 'limitBytes'] },
  'storage-full': { needs: ['removed'] },
  'storage-damaged': { how: ['entries', 'head'], may: ['first', 'last', 'text'] },
  reloaded: { how: ['call', 'page'], may: ['tasks', 'questions', 'cancelled'] },
  // What the user did.
  'user-disconnected': { how: ['connection', 'question', 'call'] },
  'user-cancelled': {},
  'user-declined': {},
  'user-completed': {},
  'url-opened': {},
  'logged-in': {},
  'login-skipped': {},
  'credentials-entered': {},
  chosen: { needs: ['era'] },
  rule: { how: ['declined', 'answered'], may: ['name'] },
  roots: {},
  // What the authorization needs, or what was wrong with it.
  'login-needed': { how: ['first', 'over', 'token-refused', 'scope', 'no-metadata'], may: ['scope'] },
  'login-failed': {
    how: ['not-begun', 'too-late', 'mix-up', 'server-error', 'no-address', 'refused'],
    may: ['name', 'text', 'because'],
  },
  'login-not-started': { how: ['nothing-to-start', 'host-changed'], may: ['host'] },
  'client-needed': {},
  'client-secret-needed': {},
  'credentials-needed': { how: ['other-tab', 'not-decrypted'] },
  'scope-not-granted': { needs: ['logins'], may: ['scope'] },
  'challenge-hidden': {},
  'no-pkce': { how: ['refused', 'continued', 'not-listed', 'no-s256'] },
  'metadata-incomplete': { how: ['resource', 'servers', 'fields'], may: ['names'] },
  'metadata-elsewhere': { may: ['url', 'newUrl'] },
  'metadata-unusable': { may: ['text', 'because'] },
  /** `text`: stored by builds that had no `because` here. */
  'metadata-rejected': { may: ['text', 'because'] },
  'unsafe-url': { how: ['scheme', 'http'], may: ['name', 'host', 'text'] },
  'auth-incomplete': { how: ['client_id', 'access_token'] },
  'auth-refused': { needs: ['status'], may: ['text'] },
  'auth-unreadable': { may: ['contentType'] },
  'auth-too-large': { needs: ['limitBytes'] },
  'auth-redirected': {},
  'auth-no-answer': { may: ['text'] },
  // What a server responded, or did not.
  'session-ended': {
    how: ['forgotten', 'sse-closed', 'sse-broken', 'sse-refused', 'sse-failed'],
    may: ['status', 'text'],
  },
  'session-blocked': {},
  'session-offered': {},
  'sessions-forgotten': { needs: ['because'] },
  'session-id-hidden': {},
  'server-changed': { may: ['was', 'now', 'names'] },
  'lists-changed': { needs: ['changes'] },
  'lists-failed': { may: ['text'] },
  'list-rejected': { needs: ['rpcCode'], may: ['text'] },
  'list-missing': { how: LIST_NAMES },
  'list-endless': { how: ['page-repeated', 'too-long'], may: ['pages'] },
  'items-left-out': { how: LIST_NAMES, needs: ['skipped'] },
  'items-repeated': { may: ['names'] },
  /** `text`: stored by builds that had no `because` here. */
  'tool-left-out': { may: ['name', 'text', 'because'] },
  'param-header': {
    how: ['misplaced', 'empty', 'not-a-token', 'wrong-type', 'repeated'],
    may: ['name', 'text'],
  },
  'wish-rejected': { how: ['level', 'subscription'], may: ['rpcCode', 'text'] },
  'url-changed': { may: ['url', 'newUrl'] },
  'protocol-version': {
    how: ['not-shared', 'contradiction', 'too-new', 'no-fallback', 'malformed'],
    may: ['version', 'versions', 'rpcCode', 'because'],
  },
  'protocol-version-changed': { how: ['session', 'task'], may: ['status'] },
  'no-answer': { how: ['connection', 'call'], may: ['text'] },
  unavailable: { needs: ['status'] },
  'rate-limited': {},
  unauthorized: { may: ['because'] },
  'bridge-token': {},
  forbidden: { may: ['because'] },
  refused: { needs: ['status'], may: ['text'] },
  redirected: {},
  'not-mcp': { may: ['status', 'text', 'contentType'] },
  'handshake-failed': { may: ['status', 'text'] },
  'rpc-error': {},
  'http-error': { needs: ['status', 'because'] },
  'taken-back': { how: ['request', 'task'] },
  'probe-answered': { how: ['stateless', 'session', 'earlier'], may: ['versions', 'sessions'] },
  'probe-refused': { how: ['refused', 'malformed'], may: ['status', 'rpcCode', 'text'] },
  'probe-blocked': {},
  'probe-silent': { needs: ['afterMs'] },
  'old-sse': {
    how: ['found', 'endpoint', 'page-ended', 'not-taken', 'lost'],
    may: ['url'],
  },
  // What a browser does not let a page do.
  cors: {
    how: ['answers', 'post-answers', 'preflight', 'headers', 'nothing'],
    may: ['names', 'origin'],
  },
  'mixed-content': {},
  'local-network': { how: ['http', 'denied'], may: ['host'] },
  'wrong-scheme': { how: ['http', 'https'], may: ['host', 'url'] },
  unreachable: { how: ['http', 'https'], may: ['host', 'origin'] },
  // What became of a stream, a call, a task or a question.
  broken: { may: ['text'] },
  held: { needs: ['status'] },
  'no-session': {},
  'session-gone': {},
  'no-replay': {},
  'no-event-id': {},
  'closed-is-cancelled': {},
  'resume-blocked': {},
  'resume-refused': { needs: ['status'] },
  'stream-refused': { needs: ['status'] },
  'event-too-large': { needs: ['limitBytes'] },
  'message-too-large': {},
  'not-processed': {},
  'not-json': {},
  'deaf-stream': {},
  'no-connection': {},
  'no-stream': { may: ['text'] },
  'not-told': { may: ['names'] },
  'not-sent': {},
  'timed-out': {
    how: ['call', 'elicitation', 'sampling'],
    needs: ['timeoutMs'],
    may: ['backgroundMs'],
  },
  'secret-not-stored': {},
  'too-many-rounds': { needs: ['rounds'] },
  'call-ended': {},
  'progress-went-back': { needs: ['from', 'to'] },
  'progress-doubled': { needs: ['pairs'] },
  'second-response': {},
  'task-cancelled': { may: ['text'] },
  'task-expired': { how: ['task', 'question'], may: ['ttlMs'] },
  'task-unknown': { may: ['text'] },
  'task-odd': { how: ['not-cancelled', 'malformed', 'not-asked-again', 'result-refused'], may: ['text'] },
  /** A sentence that an earlier version has stored. */
  recorded: { may: ['text', 'oldCode', 'fix'] },
} as const satisfies Record<string, Shape>;
