/// <reference lib="esnext.disposable" preserve="true" />
/** The client of one server as an app sees it. Types only. */
import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  RequestTypeMap,
  Resource,
  ResourceTemplateType,
  ResultTypeMap,
  Tool,
} from '@modelcontextprotocol/client';
import type { Call, CallFilter, CallOptions, CallSnapshot } from './callTypes.ts';
import type { LoginOptions } from './loginTypes.ts';
import type { Answer, Question } from './questionTypes.ts';
import type { ConnectionState, ServerInfo, StorageState } from './stateTypes.ts';

export interface RepriseClient extends AsyncDisposable {
  readonly url: string;
  readonly name: string;
  /** What the connection is doing now. */
  readonly state: ConnectionState;
  /** Who the server is. Known from the last page while reconnecting; `undefined` before the first connection. */
  readonly server: ServerInfo | undefined;

  /** Calls `listener` after a change, at most once per frame. Returns its undo. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Everything an app draws, frozen. The same object until `subscribe` reports a change. */
  readonly getSnapshot: () => ClientSnapshot;
  /** Listens to one kind of event, as it happens. Returns its undo. */
  on<E extends keyof ClientEvents>(event: E, listener: (value: ClientEvents[E]) => void): () => void;

  /**
   * Calls a tool. Waits while connecting or reconnecting; resolves when the intent is stored, just before it is sent.
   * With the `key` of an open call for the same tool and arguments, returns that call and sends nothing.
   *
   * @throws {@link ClientError} `not-connected`, `key-in-use`, `other-tab` or `closed`; TypeError if `args` is not JSON;
   * the signal's reason if it aborts first. Once resolved, all that happens to the call is in {@link Call.result}.
   */
  call(tool: string, args?: object, options?: CallOptions): Promise<Call>;
  /** Stored calls, oldest first. The same call is the same object for as long as the page lives. */
  calls(filter?: CallFilter): readonly Call[];
  /** The newest call with this key, open or finished. */
  find(key: string): Call | undefined;

  /** Questions that wait for an answer, oldest first. */
  questions(): readonly Question[];
  /**
   * Answers a question. Resolves when the server has taken the answer.
   * @throws {@link ClientError} `no-such-question` (answered or expired), `not-connected`, `other-tab`, `closed`.
   */
  answer<Q extends Question>(question: Q, result: Answer<Q>): Promise<void>;
  answer(questionId: string, result: Answer<Question>): Promise<void>;
  /** Declines: `{ action: 'decline' }` for an elicitation, an error for sampling. Fails like {@link answer}. */
  decline(question: Question | string, message?: string): Promise<void>;

  /** The current list, all pages. Waits for the connection; refreshed on `list_changed`. Fails like {@link request}. */
  tools(options?: WaitOptions): Promise<readonly Tool[]>;
  /** As {@link tools}. */
  resources(options?: WaitOptions): Promise<readonly Resource[]>;
  /** As {@link tools}. */
  resourceTemplates(options?: WaitOptions): Promise<readonly ResourceTemplateType[]>;
  /** As {@link tools}. */
  prompts(options?: WaitOptions): Promise<readonly Prompt[]>;
  /** Reads a resource. Fails like {@link request}. */
  readResource(uri: string, options?: WaitOptions): Promise<ReadResourceResult>;
  /** Gets a prompt. Fails like {@link request}. */
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: WaitOptions,
  ): Promise<GetPromptResult>;
  /**
   * Any other request. It does not survive a reload; subscriptions and the log level are repeated after a restart.
   * @throws {@link ClientError} `rpc` (the server refused), `no-answer`, `not-connected`, `other-tab`, `closed`;
   * TypeError for `tools/call` (use {@link call}); the signal's reason.
   */
  request<M extends RequestName>(
    method: M,
    params?: RequestTypeMap[M]['params'],
    options?: WaitOptions,
  ): Promise<ResultTypeMap[M]>;
  request<M extends string>(
    method: M extends RequestName ? never : M,
    params?: object,
    options?: WaitOptions,
  ): Promise<unknown>;

  /**
   * Connects again after `failed` or `disconnected`; otherwise waits for the attempt under way. Resolves with the state
   * it leads to: `connected`, `needs-login` or `failed`. @throws {@link ClientError} `closed`; the signal's reason.
   */
  connect(options?: WaitOptions): Promise<ConnectionState>;
  /**
   * Starts the OAuth login. Call it in a click handler. With `redirect` the page leaves and the promise stays pending.
   * @throws {@link ClientError} `login-failed`, `closed`; the signal's reason (the login itself may still be finished).
   */
  login(options?: LoginOptions): Promise<ConnectionState>;
  /**
   * Ends the session on the server: open calls become `lost`. `forget` also deletes all that is stored of this server,
   * in every tab, and revokes its tokens. Never fails because of the server. @throws {@link ClientError} `closed`.
   */
  disconnect(options?: { readonly forget?: boolean | undefined }): Promise<void>;
  /** Stops using the client in this page. The session and open calls stay: the next page takes them up. Never fails. */
  close(): Promise<void>;
}

export interface ClientSnapshot {
  readonly state: ConnectionState;
  readonly server: ServerInfo | undefined;
  /** Oldest first. A call that has not changed is the same object as before. */
  readonly calls: readonly CallSnapshot[];
  readonly questions: readonly Question[];
  /** As last listed, also by the last page. */
  readonly tools: readonly Tool[];
  readonly storage: StorageState;
}

export interface ClientEvents {
  readonly state: ConnectionState;
  /** A call began, changed its state or ended. Not fired for progress. */
  readonly call: Call;
  /** The server asks. Not fired for questions that the last page left: read {@link RepriseClient.questions} first. */
  readonly question: Question;
  readonly tools: readonly Tool[];
  /** A resume is complete: so many missed messages came, for these calls. */
  readonly recovered: { readonly messages: number; readonly calls: readonly Call[] };
}

export interface WaitOptions {
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Requests without a method of their own. */
export type RequestName =
  | 'ping'
  | 'completion/complete'
  | 'logging/setLevel'
  | 'resources/subscribe'
  | 'resources/unsubscribe';
