/**
 * The client of one server, in the one tab that leads it. It survives its page: whatever it knows is in the log, and
 * a new one made over the same log goes on where this one was.
 */
import { ulid } from 'ulid';
import { requireNothingHidden } from '../../base/hidden.ts';
import { shouldReconnect, type ConnectionState } from '../../log/state/connectionState.ts';
import type { Log } from '../../log/log.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import { Calls, type CallOptions } from '../calls/calls.ts';
import { CommandError } from '../commandError.ts';
import type { BrowserMcpClientOptions } from './clientOptions.ts';
import type { Connection, Session } from '../link/connection.ts';
import { ConnectionSlot } from '../link/connectionSlot.ts';
import { resultOf } from '../inputRounds/resultOf.ts';
import { InputRounds } from '../inputRounds/inputRounds.ts';
import { taskConnection } from '../tasks/taskConnection.ts';
import { TaskFollower } from '../tasks/taskFollower.ts';
import { AutoResponder } from '../questions/autoResponder.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Primitives } from '../catalog/primitives.ts';
import { Questions } from '../questions/questions.ts';
import { SecretInput } from '../exchange/secretInput.ts';
import { ReplayFilter } from '../exchange/replayFilter.ts';
import { CatalogSync } from '../catalog/catalogSync.ts';
import { ServerSession } from './serverSession.ts';
import { TaskReceiver } from '../tasks/taskReceiver.ts';
import type { PostFailure, Trouble } from '../streams/streamsOptions.ts';

/** A stateless server sends log messages only to whom asks for them. */
const DEFAULT_LOG_LEVEL = 'info';

const PAGE_LOADED: Reason = { code: 'page-loaded' };

/** A result that nobody has a schema for. */
const ANYTHING = {
  '~standard': { version: 1, vendor: 'reprise', validate: (value: unknown) => ({ value }) },
} as const;

export class BrowserMcpClient {
  readonly primitives: Primitives;
  readonly #options: BrowserMcpClientOptions;
  readonly #log: Log;
  readonly #seen = new ReplayFilter();
  readonly #slot: ConnectionSlot;
  readonly #server: ServerSession;
  readonly #calls: Calls;
  readonly #lists: CatalogSync;
  readonly #questions: Questions;
  readonly #tasks: TaskFollower;
  readonly #inputRounds: InputRounds;
  readonly #receiver: TaskReceiver;
  readonly #responder: AutoResponder;
  readonly #secrets: SecretInput;
  readonly #stopListening: () => void;

  constructor(options: BrowserMcpClientOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#lists = new CatalogSync({
      ...options,
      client: () => this.#connection?.client,
      keepInterface: async (lists) => {
        if (this.session) await options.keepInterface(lists, this.session);
      },
    });
    this.#secrets = new SecretInput(options.redactor, (tool) => this.#lists.toolOf(tool)?.inputSchema);
    // Which session is taken up is said each time a connection is opened.
    const { session: _, ...lasting } = options;
    this.#slot = new ConnectionSlot({
      ...lasting,
      seen: this.#seen,
      roots: () => this.primitives.preferences.roots,
      logLevel: () => this.primitives.preferences.level?.name ?? DEFAULT_LOG_LEVEL,
      toolOf: (name) => this.#lists.toolOf(name),
      onSessionGone: (reason) => void this.#server.sessionGone(reason),
      onLoginNeeded: () => void this.#server.awaitLogin(),
      onTrouble: (trouble) => this.#inTrouble(trouble),
      onHealthy: () => void this.#server.healthy(),
      onPostFailed: (failure) => this.#postFailed(failure),
      note: (level, reason) => this.#note(level, reason),
      subscriptions: () => this.primitives.preferences.subscriptions.map(({ uri }) => uri),
      onSubscriptions: (...told) => void this.primitives.subscriptionsAcknowledged(...told),
    });
    this.#questions = new Questions({
      ...options,
      secrets: this.#secrets,
      requireConnection: () => this.#requireConnection(),
      answerTask: (taskId, key, response) => this.#tasks.answer(taskId, key, response),
      completeTask: (taskId, result) => this.#receiver.keep(taskId, result),
      cancelCall: (callId) => this.#calls.cancel(callId, { code: 'user-declined' }),
    });
    this.primitives = new Primitives({
      ...options,
      client: () => this.#requireConnection().client,
      isConnected: () => this.#connection !== undefined,
      isStateless: () => this.#log.head.era?.era === 'stateless',
      requestWithInput: async (method, name, args) =>
        resultOf(this.#log, await this.#calls.begin(this.#requireConnection(), name, args, { method })),
      listenAgain: () => this.#slot.stateless?.listen(),
      onRules: () => {
        this.#responder.evaluate();
      },
    });
    // Before the responder: a rule must not answer a request that is about to become a task.
    this.#receiver = new TaskReceiver({
      ...options,
      newId: ulid,
      canReply: () => this.#canReply,
      respond: (rpcId, body) => this.#requireConnection().respond(rpcId, body),
    });
    this.#responder = new AutoResponder({
      ...options,
      rules: () => this.primitives.preferences.rules,
      roots: () => this.primitives.preferences.roots,
      canReply: () => this.#canReply,
      isSending: (requestId) => this.#questions.isSending(requestId),
      reply: (question, reply) => this.#questions.replyByItself(question, reply),
    });
    this.#calls = new Calls({
      ...options,
      secrets: this.#secrets,
      connection: () => this.#connection,
      isRepeatable: (tool) => this.#lists.isRepeatable(tool),
      cancelTask: (callId) => this.#tasks.cancel(callId),
    });
    this.#tasks = new TaskFollower({
      ...options,
      newId: ulid,
      connection: () => this.#connection && taskConnection(this.#connection),
      onTrouble: (trouble) => this.#inTrouble(trouble),
      onHealthy: () => void this.#server.healthy(),
      note: (reason) => this.#note('info', reason),
    });
    this.#inputRounds = new InputRounds({
      ...options,
      retry: (wireId, round) => this.#calls.retry(wireId, round),
    });
    this.#server = new ServerSession({
      ...options,
      seen: this.#seen,
      slot: this.#slot,
      lists: this.#lists,
      primitives: this.primitives,
      calls: this.#calls,
      questions: this.#questions,
      tasks: this.#tasks,
      rounds: this.#inputRounds,
    });
    this.#stopListening = this.#log.appended.on((entries) => {
      this.#lists.heed(entries);
    });
  }

  get session(): Session | undefined {
    return this.#server.stored;
  }

  get #connection(): Connection | undefined {
    return this.#slot.current;
  }

  get #canReply(): boolean {
    return this.#connection !== undefined && this.#log.head.state.name === 'connected';
  }

  /** Begins a new session. */
  async connect(): Promise<ConnectionState> {
    await this.#server.connect();
    return this.#log.head.state;
  }

  /** Takes up the stored session, with every stream that was open; resolves when that was tried once. */
  async reconnect(reason: Reason = PAGE_LOADED): Promise<ConnectionState> {
    await this.#server.resume(reason);
    return this.#log.head.state;
  }

  /** The user has logged in, or goes on without. */
  async authorized(reason: Reason): Promise<ConnectionState> {
    if (this.#log.head.state.name !== 'authorizing') return this.#log.head.state;
    if (!this.session) return this.connect();
    await this.#server.resume(reason);
    // A server may shake hands with everybody, and ask who it is when its lists are read.
    await this.#server.readLists();
    return this.#log.head.state;
  }

  loginFailed(reason: Reason): void {
    void this.#server.tell({ kind: 'login-needed', reason, ask: 'login' });
  }

  /** Leaves for good: the server is told, so that it need not keep the session. */
  disconnect(): Promise<void> {
    return this.#server.tell({
      kind: 'leave',
      reason: { code: 'user-disconnected', how: 'connection' },
    });
  }

  /** Resolves with the call's id once its intent is stored. */
  async call(tool: string, args: object = {}, options: CallOptions = {}): Promise<string> {
    requireNothingHidden(args);
    return this.#calls.begin(this.#requireConnection(), tool, args, options);
  }

  /** @param message what the server is told */
  cancel(callId: string, message?: string): Promise<void> {
    return this.#calls.cancel(callId, { code: 'user-cancelled' }, message);
  }

  forgetCall(callId: string): Promise<void> {
    return this.#calls.forget(callId);
  }

  answer(requestId: string, result: object): Promise<void> {
    return this.#questions.answer(requestId, result);
  }

  decline(requestId: string, message?: string): Promise<void> {
    return this.#questions.decline(requestId, message);
  }

  complete(requestId: string): Promise<void> {
    return this.#questions.complete(requestId);
  }

  /** Sends a request as it is, and gives what came back. */
  request(method: string, params: object): Promise<unknown> {
    return this.#requireConnection().client.request({ method, params: { ...params } }, ANYTHING);
  }

  async refreshLists(): Promise<Catalog> {
    await this.#lists.refresh();
    return this.#lists.current;
  }

  refreshTasks(): Promise<void> {
    return this.#lists.refreshTasks();
  }

  /** Resolves with the ID of the request that follows the task. */
  followTask(taskId: string): Promise<string> {
    this.#requireConnection();
    return this.#tasks.adopt(taskId);
  }

  /** Whoever started it. */
  async cancelTask(taskId: string): Promise<void> {
    const known = this.#log.head.followUps.tasks.get(taskId);
    if (known) return this.cancel(known.callId);
    await this.request('tasks/cancel', { taskId });
    await this.refreshTasks();
  }

  /** The network is back, or the page is visible again. */
  retryNow(): void {
    this.#connection?.streams.retryNow();
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#calls.close();
    this.#tasks.close();
    this.#inputRounds.close();
    this.#receiver.close();
    this.#responder.close();
    await this.#server.close();
  }

  #postFailed(failure: PostFailure): void {
    const { request, callId, verdict, outcome } = failure;
    const { blocked } = this.#options.auth;
    if (verdict.name === 'unauthorized' && blocked) {
      if (callId !== undefined) {
        const code = verdict.reason.code === 'forbidden' ? 'forbidden' : 'unauthorized';
        const reason = { code, because: blocked.reason, so: 'not-run' } as const;
        this.#calls.change(callId, { name: 'failed', error: { code: 403 }, reason });
      }
      if (request !== 'initialize' && request !== 'probe') void this.#server.awaitLogin();
      return;
    }
    if (callId !== undefined && this.#calls.mayRetryMismatch(callId, outcome)) {
      void this.#calls.retryAfterMismatch(callId, () => this.#lists.refresh());
      return;
    }
    if (callId !== undefined) this.#calls.fail(callId, verdict, outcome);
    if (verdict.name === 'session-gone') void this.#server.sessionGone(verdict.reason);
  }

  #inTrouble(trouble: Trouble): void {
    void this.#server.tell({ kind: 'trouble', ...trouble });
  }

  #note(level: 'info' | 'warn', reason: Reason): void {
    this.#log.append({ body: { kind: 'note', level, reason } });
  }

  #requireConnection(): Connection {
    const isConnectionWanted = shouldReconnect(this.#log.head.state);
    if (this.#connection && isConnectionWanted) return this.#connection;
    throw new CommandError(
      'not-connected',
      isConnectionWanted
        ? 'Reconnecting. Try again in a moment.'
        : 'Not connected. Connect to the server first.',
    );
  }
}
