/** The records of the log: facts, read-only, told apart by `kind`. Types only. */
import type { AskedMethod } from '../state/call.ts';
import type { ConnectionState } from '../state/connectionState.ts';
import type { Era, SessionsFound } from '../protocol/era.ts';
import type { Reason } from '../reasons/reason.ts';
import type { RunReason } from '../state/runSign.ts';

/** The version that new records are stored with; older ones climb up to it in `upgrade.ts`. */
export const VERSION = 5;

/** The key of the one stream of a session that belongs to no request. Others are named by their request's wire id. */
export const STANDALONE = 'standalone';

export type EntryBody =
  /** A page began to look after this server: a load, or a takeover from a tab that closed. */
  | {
      readonly kind: 'load';
      readonly reason: 'opened' | 'took over';
      /** When the page before this one was left, where the browser can tell: it was loaded again. */
      readonly pageLeftAt?: number;
    }
  | { readonly kind: 'state'; readonly state: ConnectionState }
  /** A new session was begun with this server. */
  | { readonly kind: 'session'; readonly protocolVersion: string; readonly serverName: string }
  /** Which way of the protocol this server speaks, and how that was found out. */
  | {
      readonly kind: 'era';
      readonly era: Era;
      readonly protocolVersion: string;
      readonly transport?: 'sse';
      readonly reason: Reason;
      readonly sessions?: SessionsFound;
    }
  /** What this page decided about a task; what the server says of it stands in its messages. */
  | { readonly kind: 'task'; readonly taskId: string; readonly callId: string; readonly change: TaskChange }
  /** The intent to call is an entry of its own, stored before the POST leaves. */
  | { readonly kind: 'call'; readonly callId: string; readonly change: CallChange }
  | { readonly kind: 'question'; readonly requestId: string; readonly change: QuestionChange }
  | ({ readonly kind: 'sent' } & MessageBody)
  | ({ readonly kind: 'received' } & MessageBody)
  /** An event with an id and no data: the server names a position (a priming event). */
  | { readonly kind: 'position'; readonly stream: string; readonly eventId: string; readonly callId?: string }
  /** An event that came again and was dropped. */
  | {
      readonly kind: 'duplicate';
      readonly stream: string;
      readonly eventId: string;
      readonly callId?: string;
    }
  /** An event that could not be read. It still moves the cursor: asking again would bring it again. */
  | {
      readonly kind: 'malformed';
      readonly stream: string;
      readonly eventId?: string;
      readonly callId?: string;
      readonly reason: Reason;
      readonly excerpt: string;
    }
  | {
      readonly kind: 'http';
      readonly stream: string;
      readonly callId?: string;
      /** The request of the server that the sent message is the response to. */
      readonly responseTo?: string;
      readonly method: string;
      readonly url: string;
      readonly status: number;
      readonly durationMs: number;
      readonly requestHeaders: Readonly<Record<string, string>>;
      readonly responseHeaders: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stream-end';
      readonly stream: string;
      readonly callId?: string;
      readonly how: StreamEnd;
      readonly reason?: Reason;
    }
  | ({ readonly kind: 'auth' } & AuthBody)
  | ({ readonly kind: 'app' } & AppBody)
  | {
      readonly kind: 'note';
      readonly level: 'info' | 'warn' | 'error';
      readonly reason: Reason;
      /** Entries up to this number were removed from storage. */
      readonly removedThrough?: number;
    };

export type AuthStep =
  | 'challenge'
  | 'resource'
  | 'issuer'
  | 'registration'
  | 'login'
  | 'callback'
  | 'token'
  | 'refresh'
  | 'logout';

/** One step of the authorization, redacted: what was asked, what was answered, what was wrong with it. */
export interface AuthBody {
  readonly step: AuthStep;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly sent?: Readonly<Record<string, string>>;
  readonly answer?: string;
  /** What was wrong with it. */
  readonly reason?: Reason;
}

/** `sent` and `received`: a message to the view, and one from it. */
export type AppStep = 'opened' | 'sent' | 'received' | 'finding' | 'closed';

/** What a view tried and was refused, or did wrong. */
export type AppFinding =
  | 'csp'
  | 'storage'
  | 'popup'
  | 'too-many-messages'
  | 'message-too-big'
  | 'not-initialized'
  | 'tool-refused'
  | 'called-again'
  | 'document-changed';

/** The view of an MCP App (SEP-1865) that belongs to a call. Messages that follow each other fast are counted only. */
export interface AppBody {
  readonly callId: string;
  /** Names one opening of the view. */
  readonly view: string;
  readonly step: AppStep;
  readonly method?: string;
  /** The message, the finding, or why the view was closed. Long messages are cut. */
  readonly appText?: string;
  /** So many more like it aren't stored. */
  readonly more?: number;
  readonly finding?: AppFinding;
  /** Of the document: the URI, and the SHA-256 of its text. */
  readonly uri?: string;
  readonly sha256?: string;
  readonly origin?: 'own' | 'opaque';
}

export interface MessageBody {
  readonly stream: string;
  readonly eventId?: string;
  /** Delivered by a resume, in the burst that makes up for what was missed. */
  readonly replayed?: true;
  readonly callId?: string;
  readonly method?: string;
  /** The JSON-RPC message as text, redacted: parsed only where it is looked at. */
  readonly raw: string;
}

/** `answered`: its response came. `released`: let go to make room, to be resumed. */
export type StreamEnd = 'answered' | 'closed' | 'broken' | 'released' | 'refused';

export type CallChange =
  | {
      readonly name: 'sending';
      /** Left out: it calls a tool. */
      readonly method?: AskedMethod;
      readonly tool: string;
      readonly args: object;
      /** The user's own `_meta`, and the trace that the call belongs to. */
      readonly meta?: object;
      /** The app's name for this piece of work. */
      readonly key?: string;
      /** Left out: no limit. */
      readonly timeoutMs?: number;
      readonly backgroundMs?: number;
      /** May be called again without asking: the tool says that it only reads, or that repeating it changes nothing. */
      readonly repeatable: boolean;
      readonly era?: 'stateless';
      /** Made by the view of this call. */
      readonly appOf?: string;
    }
  | { readonly name: 'open' }
  /** All that the server asked for is answered: the same request is about to leave again, with the answers. */
  | { readonly name: 'retrying' }
  /** It takes longer than its timeout, and goes on. */
  | { readonly name: 'background' }
  /** Its app has no use for it any more: it leaves the list of calls. */
  | { readonly name: 'forgotten' }
  /** The tool seems to have run more than once: at least `runs` times. `reason`: what was seen. */
  | { readonly name: 'ran-again'; readonly runs: number; readonly reason: RunReason }
  | { readonly name: 'cancelled' | 'lost' | 'unknown' | 'expired'; readonly reason: Reason }
  | {
      readonly name: 'failed';
      /** The message of the server, or of the browser. Without one, the reason says it. */
      readonly error: { readonly code: number; readonly message?: string };
      readonly reason: Reason;
    };

export type QuestionChange =
  /** The answer is about to be sent: its call may end before the POST of the answer does. */
  | { readonly name: 'answering'; readonly reason?: Reason }
  /** The server asked for it as a task, and polls this one. */
  | { readonly name: 'task'; readonly taskId: string; readonly ttlMs: number }
  /**
   * The response is kept where it goes with a later request, the error where a task has failed with it. `reason`: the
   * inbox says that it was not simply answered by hand.
   */
  | {
      readonly name: 'answered';
      readonly response?: object;
      readonly error?: { readonly code: number; readonly message: string };
      readonly reason?: Reason;
    }
  /** The server cancelled its task. */
  | { readonly name: 'cancelled'; readonly reason: Reason }
  /** A person says that what was begun at its address is done. */
  | { readonly name: 'completed' }
  | { readonly name: 'expired'; readonly reason: Reason };

/** Nothing more can be learned of it: it expired, or the server does not know it. */
export interface TaskChange {
  readonly name: 'ended';
  readonly reason: Reason;
}

export interface Stamp {
  readonly seq: number;
  readonly at: number;
  /** Which page load saw it, counted from 1. */
  readonly load: number;
}

export type Entry = Stamp & EntryBody;
