/** Tool calls as an app sees them. Types only. */
import type {
  CallToolResult,
  LoggingMessageNotificationParams,
  Progress,
  ProgressNotificationParams,
} from '@modelcontextprotocol/client';
import type { WaitOptions } from './clientTypes.ts';

export interface CallOptions {
  /** Your name for this piece of work. The new page finds the call by it, and a second click does not start it twice. */
  readonly key?: string | undefined;
  /** Cancels the call this long after its start, counted across reloads. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Aborting cancels the call, like {@link Call.cancel}. Leaving the page does not abort it. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallFilter {
  /** `true`: only calls without an outcome. `false`: only finished ones. */
  readonly open?: boolean | undefined;
  readonly tool?: string | undefined;
}

/** A tool call that outlives the page that made it. */
export interface Call {
  readonly id: string;
  readonly key: string | undefined;
  readonly tool: string;
  readonly args: object;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where the call stands now. */
  readonly state: CallState;
  /** The latest progress. */
  readonly progress: Progress | undefined;
  /**
   * How the call ends, in whichever page that is. Never rejects for what a server or a network does.
   * @throws ClientError `closed` if this client is closed first; the call itself goes on.
   */
  readonly result: Promise<Outcome>;
  /** Progress and log messages, each once, in order, from the first one on. Ends with the call; never throws. */
  messages(options?: MessagesOptions): AsyncIterable<CallMessage>;
  /** Cancels the call on the server. Resolves when that is stored; does nothing if it has ended. */
  cancel(message?: string): Promise<void>;
  /**
   * Takes a finished call off the list, in every page. Its messages leave the store with the oldest entries.
   *
   * @throws ClientError `call-open`, `closed`.
   */
  forget(): Promise<void>;
  /** As `client.subscribe`, for this call alone. */
  readonly subscribe: (listener: () => void) => () => void;
  /** As `client.getSnapshot`, for this call alone. */
  readonly getSnapshot: () => CallSnapshot;
}

export interface CallSnapshot extends Pick<
  Call,
  'id' | 'key' | 'tool' | 'args' | 'startedAt' | 'state' | 'progress'
> {
  /** Distinct messages, how many of them a resume delivered, and how many more were dropped as duplicates. */
  readonly counts: { readonly received: number; readonly replayed: number; readonly duplicates: number };
}

export type CallState =
  /** Stored and sent; the server has not begun to answer. */
  | { readonly name: 'sending' }
  | { readonly name: 'open' }
  /** The server waits for an answer: see `client.questions()`. */
  | { readonly name: 'needs-input' }
  | Outcome;

/** How a call ended. */
export type Outcome =
  | { readonly name: 'settled'; readonly ok: true; readonly result: CallToolResult; readonly endedAt: number }
  | {
      readonly name: 'settled';
      readonly ok: false;
      readonly error: CallError;
      /** Present if the tool itself reported the error (`isError`). */
      readonly result?: CallToolResult;
      readonly endedAt: number;
    }
  /** The server took the call, and its result cannot be had any more. */
  | NoResult<
      'lost',
      | 'no-replay'
      | 'session-ended'
      | 'resume-refused'
      | 'task-gone'
      | 'input-limit'
      | 'secret-not-stored'
      | 'disconnected'
    >
  /** Nobody can tell whether the tool ran. */
  | NoResult<'unknown', 'no-event-id' | 'no-session' | 'no-response'>
  | NoResult<'cancelled', 'app' | 'timeout' | 'declined' | 'server' | 'reload'>
  /** The server keeps the results of tasks for a limited time, and that time is over. */
  | NoResult<'expired', 'task-ttl'>;

export interface NoResult<Name extends string, Reason extends string> {
  readonly name: Name;
  readonly reason: Reason;
  /** A sentence in English that can be shown. */
  readonly why: string;
  /** The server refused the call before it ran, or the tool declares `readOnlyHint` or `idempotentHint`. */
  readonly safeToRetry: boolean;
  readonly endedAt: number;
}

export interface CallError {
  /** The tool's own text, or the server's JSON-RPC error message. */
  readonly message: string;
  /** The JSON-RPC error code, or the HTTP status. Absent if the tool reported the error. */
  readonly code?: number;
  readonly data?: unknown;
}

export type CallMessage = (
  | { readonly method: 'notifications/progress'; readonly params: ProgressNotificationParams }
  | { readonly method: 'notifications/message'; readonly params: LoggingMessageNotificationParams }
) & {
  /** When it arrived. */
  readonly at: number;
  /** A resume delivered it. */
  readonly replayed: boolean;
};

export interface MessagesOptions extends WaitOptions {
  /** `now` leaves out what arrived before. Default `start`. */
  readonly from?: 'start' | 'now' | undefined;
}
