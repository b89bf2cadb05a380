/**
 * The client of one server, in the one tab that leads it. It survives its page: whatever it knows is in the log, and
 * a new one made over the same log goes on where this one was.
 */
import type { Implementation } from '@modelcontextprotocol/client';
import { ulid } from 'ulid';
import type { TokenSource } from '../auth/tokenSource.ts';
import type { Clock } from '../base/clock.ts';
import { requireNothingHidden } from '../base/hidden.ts';
import { loadPart, PartMissing } from '../base/loadPart.ts';
import { hideUrlKeys } from '../base/urlKeys.ts';
import { reason } from '../base/words.ts';
import { isWanted, type ConnectionState, type Failure } from '../log/connectionState.ts';
import type { Entry } from '../log/entry.ts';
import type { Log } from '../log/log.ts';
import type { Reason } from '../log/reason.ts';
import type { ConnectionBudget } from '../wire/connectionBudget.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Redactor } from '../wire/redact.ts';
import { Calls, type CallOptions } from './calls.ts';
import type { Offers } from './offers.ts';
import { CommandError } from './commandError.ts';
import type { Connection, Credentials, Session } from './connection.ts';
import { next, type ConnectionEvent } from './connectionMachine.ts';
import { ConnectionSlot } from './connectionSlot.ts';
import { resultOf } from './eras/resultOf.ts';
import { Rounds } from './eras/rounds.ts';
import { taskConnection } from './eras/taskConnection.ts';
import { TaskFollower } from './eras/taskFollower.ts';
import type { FailureContext } from './explainFailure.ts';
import { InboxKeeper } from './inboxKeeper.ts';
import { serverChange, type Lists } from './lists.ts';
import { Primitives } from './primitives.ts';
import { Questions } from './questions.ts';
import { rememberReceived } from './rememberReceived.ts';
import { Restarts } from './restarts.ts';
import { Returns } from './returns.ts';
import { SecretInput } from './secretInput.ts';
import { SeenEvents } from './seenEvents.ts';
import { ServerLists } from './serverLists.ts';
import { TaskReceiver } from './taskReceiver.ts';
import type { PostFailure, Trouble } from './streams/streams.ts';
import type { Revision } from './serverRecord.ts';
import type { Wishes } from './wishes.ts';

export interface BrowserMcpClientOptions {
  readonly url: string;
  readonly credentials: Credentials;
  readonly auth: TokenSource;
  readonly redactor: Redactor;
  readonly session: Session | undefined;
  readonly revision: Revision;
  readonly lists: Lists;
  readonly wishes: Wishes;
  readonly log: Log;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly budget: ConnectionBudget;
  readonly clientInfo: Implementation;
  readonly offers: Offers;
  /** What of it isn't declared to this server. */
  readonly withheld?: readonly string[] | undefined;
  readonly pageOrigin: string;
  readonly isOnline: () => boolean;
  /** Resolves while the page is not about to be left. */
  readonly whenStaying?: (() => Promise<void>) | undefined;
  /** Resolves when everything in the log so far is stored. */
  readonly flushed: () => Promise<void>;
  /** Stored entries, for the ids of what was received before this page. */
  readonly storedSince: (seq: number) => AsyncIterable<readonly Entry[]>;
  readonly saveSession: (session: Session | undefined) => Promise<void>;
  readonly saveLists: (lists: Lists) => Promise<void>;
  /** The whole interface of the server was read: what it was before stays known. */
  readonly keepInterface: (lists: Lists, session: Session) => Promise<void>;
  readonly saveWishes: (wishes: Wishes) => Promise<void>;
}

/** A stateless server sends log messages only to whom asks for them. */
const DEFAULT_LOG_LEVEL = 'info';
/** How long a server may take to say goodbye. */
const FAREWELL_MS = 3000;

const PAGE_LOADED: Reason = { code: 'page-loaded' };

/** A result that nobody has a schema for. */
const ANYTHING = {
  '~standard': { version: 1, vendor: 'reprise', validate: (value: unknown) => ({ value }) },
} as const;

export class BrowserMcpClient {
  readonly primitives: Primitives;
  readonly #o: BrowserMcpClientOptions;
  readonly #log: Log;
  readonly #seen = new SeenEvents();
  readonly #slot: ConnectionSlot;
  readonly #restarts: Restarts;
  readonly #returns: Returns;
  readonly #calls: Calls;
  readonly #lists: ServerLists;
  readonly #questions: Questions;
  readonly #tasks: TaskFollower;
  readonly #rounds: Rounds;
  readonly #receiver: TaskReceiver;
  readonly #keeper: InboxKeeper;
  readonly #secrets: SecretInput;
  readonly #stopListening: () => void;
  #session: Session | undefined;
  /** The server may have changed while no page was there. */
  #listsAreOld = false;

  constructor(options: BrowserMcpClientOptions) {
    this.#o = options;
    this.#log = options.log;
    this.#session = options.session;
    this.#lists = new ServerLists({
      ...options,
      client: () => this.#connection?.client,
      keepInterface: async (lists) => {
        const session = this.#session;
        if (session) await options.keepInterface(lists, session);
      },
    });
    this.#secrets = new SecretInput(options.redactor, (tool) => this.#lists.toolOf(tool)?.inputSchema);
    // Which session is taken up is said each time a connection is opened.
    const { session: _, ...lasting } = options;
    this.#slot = new ConnectionSlot({
      ...lasting,
      seen: this.#seen,
      roots: () => this.primitives.wishes.roots,
      logLevel: () => this.primitives.wishes.level?.name ?? DEFAULT_LOG_LEVEL,
      toolOf: (name) => this.#lists.toolOf(name),
      onSessionGone: (reason) => void this.#restart(reason),
      onLoginNeeded: () => void this.#awaitLogin(),
      onTrouble: (trouble) => this.#inTrouble(trouble),
      onHealthy: () => {
        if (!this.#restarts.isBeginning) this.#returns.cameBack();
      },
      onPostFailed: (failure) => this.#postFailed(failure),
      note: (level, reason) => this.#note(level, reason),
      subscriptions: () => this.primitives.wishes.subscriptions.map(({ uri }) => uri),
      onSubscriptions: (...told) => void this.primitives.subscriptionsTold(...told),
    });
    this.#restarts = new Restarts({
      ...options,
      lists: () => this.#lists.current,
      refreshLists: () => this.#lists.refresh(),
      begin: async () => {
        await this.#begin();
        this.#tasks.resume();
      },
      awaitLogin: () => this.#awaitLogin(),
      lastVerdict: () => this.#slot.lastFailure?.verdict,
      closeConnection: () => this.#closeConnection(),
      onTrouble: (trouble) => this.#inTrouble(trouble),
      onFailed: (error) => this.#fail(error),
      responds: () => this.#slot.responds(),
      onForgetful: (because) =>
        this.#dispatch({ type: 'failed', reason: { code: 'sessions-forgotten', because } }),
      onDone: async (reason, cost) => {
        this.#dispatch({ type: 'restarted', reason, cost });
        // Somebody disconnected while the new session was being begun.
        if (!isWanted(this.#log.head.state)) await this.disconnect();
      },
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
      askInRounds: async (method, name, args) =>
        resultOf(this.#log, await this.#calls.begin(this.#requireConnection(), name, args, { method })),
      listenAgain: () => this.#slot.stateless?.listen(),
      onRules: () => {
        this.#keeper.look();
      },
    });
    // Before the keeper: a rule must not answer a request that is about to become a task.
    this.#receiver = new TaskReceiver({
      ...options,
      newId: ulid,
      canReply: () => this.#canReply,
      respond: (rpcId, body) => this.#requireConnection().respond(rpcId, body),
    });
    this.#keeper = new InboxKeeper({
      ...options,
      rules: () => this.primitives.wishes.rules,
      roots: () => this.primitives.wishes.roots,
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
      onHealthy: () => this.#returns.cameBack(),
      note: (reason) => this.#note('info', reason),
    });
    this.#rounds = new Rounds({ ...options, retry: (wireId, round) => this.#calls.retry(wireId, round) });
    this.#returns = new Returns({
      log: this.#log,
      slot: this.#slot,
      calls: this.#calls,
      questions: this.#questions,
      tasks: this.#tasks,
      rounds: this.#rounds,
      restarts: this.#restarts,
      refreshLists: () => {
        this.#listsAreOld = false;
        return this.#lists.follow();
      },
      renew: () => void this.primitives.renew('same'),
      onCameBack: (reason) => {
        this.#dispatch({ type: 'came-back', ...(reason && { reason }) });
        this.#followLists();
      },
    });
    this.#stopListening = this.#log.appended.on((entries) => {
      this.#lists.heed(entries);
    });
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get #connection(): Connection | undefined {
    return this.#slot.current;
  }

  get #canReply(): boolean {
    return this.#connection !== undefined && this.#log.head.state.name === 'connected';
  }

  /** Begins a new session. */
  async connect(): Promise<ConnectionState> {
    await this.#closeConnection();
    this.#dispatch({ type: 'connect', url: hideUrlKeys(this.#o.url) });
    try {
      await this.#begin();
    } catch (error) {
      if (await this.#awaitLogin()) return this.#log.head.state;
      await this.#closeConnection();
      await this.#fail(error);
      return this.#log.head.state;
    }
    this.#dispatch({ type: 'handshake-done' });
    this.#tasks.resume();
    await this.#readLists();
    return this.#log.head.state;
  }

  /** Takes up the stored session, with every stream that was open; resolves when that was tried once. */
  async reconnect(reason: Reason = PAGE_LOADED): Promise<ConnectionState> {
    const session = this.#session;
    if (!session) return this.connect();
    await this.#closeConnection();
    this.#dispatch({ type: 'come-back', reason, now: this.#o.clock.now() });
    this.#listsAreOld = true;
    await rememberReceived(this.#seen, this.#log.head, this.#o.storedSince);
    // Somebody may have disconnected meanwhile.
    if (this.#session === session) await this.#returns.run(session);
    return this.#log.head.state;
  }

  /** A person has logged in, or goes on without. */
  async authorized(reason: Reason): Promise<ConnectionState> {
    if (this.#log.head.state.name !== 'authorizing') return this.#log.head.state;
    if (!this.#session) return this.connect();
    await this.reconnect(reason);
    // A server may shake hands with everybody, and ask who it is when its lists are read.
    await this.#readLists();
    return this.#log.head.state;
  }

  loginFailed(reason: Reason): void {
    this.#dispatch({ type: 'authorize', reason, ask: 'login' });
  }

  /** Leaves for good: the server is told, so that it need not keep the session. */
  async disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#restarts.cancel();
    this.#dispatch({ type: 'disconnected', reason: { code: 'user-disconnected', how: 'connection' } });
    this.#questions.expireAll({ code: 'user-disconnected', how: 'question' });
    this.#calls.loseAll({ code: 'user-disconnected', how: 'call' });
    // A server may refuse to end sessions (405), or be gone; neither keeps anybody here.
    const told = connection?.terminate().catch(() => undefined);
    await Promise.race([told, new Promise<void>((resolve) => this.#o.clock.after(FAREWELL_MS, resolve))]);
    await this.#closeConnection();
    this.#session = undefined;
    await this.#o.saveSession(undefined);
    await this.#o.flushed();
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

  async refreshLists(): Promise<Lists> {
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
  hurry(): void {
    this.#connection?.streams.hurry();
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#restarts.cancel();
    this.#calls.close();
    this.#tasks.close();
    this.#rounds.close();
    this.#receiver.close();
    this.#keeper.close();
    await this.#closeConnection();
  }

  async #begin(): Promise<void> {
    this.#seen.clear();
    const connection = await this.#slot.open(undefined, this.#session?.transport === 'sse');
    this.#session = { ...connection.session, startedAt: this.#o.clock.now() };
    await this.#o.saveSession(this.#session);
    const { serverInfo } = this.#session.handshake;
    this.#log.append(
      { body: { kind: 'era', ...(this.#slot.verdict ?? connection.verdict) } },
      {
        body: {
          kind: 'session',
          protocolVersion: this.#session.protocolVersion,
          serverName: serverInfo.title ?? serverInfo.name,
        },
      },
    );
    void this.primitives.renew('new');
  }

  /** Only a person can help: the streams are let go, and the calls wait where they are. */
  async #awaitLogin(): Promise<boolean> {
    const { blocked } = this.#o.auth;
    if (blocked?.name !== 'login') return false;
    await this.#closeConnection();
    const { reason, ask } = blocked;
    this.#dispatch({ type: 'authorize', reason, ask });
    return true;
  }

  async #closeConnection(): Promise<void> {
    this.#tasks.pause();
    await this.#slot.close();
  }

  /** The server has forgotten the session: begin a new one, and say what that has cost. */
  async #restart(reason: Reason): Promise<void> {
    // Several requests of one session are told that it's gone: the first is enough.
    if (!this.#session) return;
    const before = this.#session.handshake;
    this.#session = undefined;
    await this.#closeConnection();
    this.#questions.expireAll({ ...reason, so: 'answer-not-awaited' });
    this.#calls.loseAll({ ...reason, so: 'result-unreachable' });
    const restarting: Reason = { ...reason, so: 'new-session' };
    this.#dispatch({ type: 'come-back', reason: restarting, now: this.#o.clock.now() });
    // The old session stays stored until the new one takes its place: a page that is loaded in between finds out again.
    await this.#restarts.run(reason);
    const after = this.session?.handshake;
    const change = after && serverChange(before, after);
    if (change) this.#note('info', change);
  }

  #postFailed(failure: PostFailure): void {
    const { request, callId, verdict, outcome } = failure;
    const { blocked } = this.#o.auth;
    if (verdict.name === 'unauthorized' && blocked) {
      if (callId !== undefined) {
        const code = verdict.reason.code === 'forbidden' ? 'forbidden' : 'unauthorized';
        const reason = { code, because: blocked.reason, so: 'not-run' } as const;
        this.#calls.change(callId, { name: 'failed', error: { code: 403 }, reason });
      }
      if (request !== 'initialize' && request !== 'probe') void this.#awaitLogin();
      return;
    }
    if (callId !== undefined && this.#calls.mayRetryMismatch(callId, outcome)) {
      void this.#calls.retryAfterMismatch(callId, () => this.#lists.refresh());
      return;
    }
    if (callId !== undefined) this.#calls.fail(callId, verdict, outcome);
    if (verdict.name === 'session-gone' && !this.#restarts.isBeginning) void this.#restart(verdict.reason);
  }

  async #readLists(): Promise<void> {
    try {
      await this.#lists.refresh();
    } catch (error) {
      if (this.#o.auth.blocked?.name === 'login') return;
      const failed = { code: 'lists-failed', text: reason(error) } as const;
      this.#note('warn', failed);
      await this.#lists.fail(failed);
    }
  }

  #followLists(): void {
    if (!this.#listsAreOld) return;
    this.#listsAreOld = false;
    // MCP 2026-07-28: lists say how long they are fresh, and are read again after that.
    if (this.#log.head.era?.era === 'stateless') return;
    this.#lists.follow().catch((error: unknown) => {
      this.#note('warn', { code: 'lists-failed', text: reason(error) });
    });
  }

  #inTrouble(trouble: Trouble): void {
    this.#dispatch({ type: 'trouble', ...trouble });
  }

  #dispatch(event: ConnectionEvent): void {
    const state = next(this.#log.head.state, event);
    if (state !== this.#log.head.state) this.#log.append({ body: { kind: 'state', state } });
  }

  #note(level: 'info' | 'warn', reason: Reason): void {
    this.#log.append({ body: { kind: 'note', level, reason } });
  }

  async #fail(error: unknown): Promise<void> {
    const { blocked } = this.#o.auth;
    const { lastFailure } = this.#slot;
    this.#dispatch({ type: 'failed', ...(await this.#explain(error, { lastFailure, blocked })) });
  }

  /** What looks for the cause is loaded when there is a failure. */
  async #explain(error: unknown, seen: Pick<FailureContext, 'lastFailure' | 'blocked'>): Promise<Failure> {
    try {
      if (error instanceof PartMissing) throw error;
      const { explainFailure } = await loadPart(() => import('./explainFailure.ts'));
      return await explainFailure(error, { ...this.#o, ...seen });
    } catch (missing) {
      return { reason: { code: 'part-missing', text: reason(missing) } };
    }
  }

  #requireConnection(): Connection {
    const isConnectionWanted = isWanted(this.#log.head.state);
    if (this.#connection && isConnectionWanted) return this.#connection;
    throw new CommandError(
      'not-connected',
      isConnectionWanted
        ? 'The page is on its way back to the server. Try again in a moment.'
        : 'There is no connection. Connect to the server first.',
    );
  }
}
