/** The client of one server, over the tab that keeps its log. It adds no truth of its own: what it says, the log says. */
import { asText } from '../../base/asText.ts';
import type { Clock } from '../../base/clock.ts';
import { shouldReconnect } from '../../log/state/connectionState.ts';
import type { EntryBatch } from '../../log/entry/entryBatch.ts';
import type { FallbackStore } from '../../storage/fallbackStore.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { abortable } from './abortable.ts';
import { CallCommands } from './callCommands.ts';
import type { Call, CallFilter, CallOptions } from './callTypes.ts';
import { ClientEvents } from './clientEvents.ts';
import type { ClientEvents as Events, ClientSnapshot, RepriseClient, WaitOptions } from './clientTypes.ts';
import { ClientView } from './clientView.ts';
import { CommandRunner } from './commandRunner.ts';
import { ConnectionWatch } from './connectionWatch.ts';
import { CurrentServer, type OpenServer } from './currentServer.ts';
import { frames } from './environment.ts';
import type { LoginOptions } from './loginTypes.ts';
import { isOutcome } from './outcome.ts';
import type { Answer, Question } from './questionTypes.ts';
import { RecoveryWatch } from './recoveryWatch.ts';
import { ServerRequests } from './serverRequests.ts';
import type { ConnectionState, ServerInfo } from './stateTypes.ts';

export interface LiveClientOptions {
  readonly url: string;
  readonly name: string;
  readonly clock: Clock;
  readonly store: FallbackStore;
  readonly keepCalls: number;
  readonly hasLogin: boolean;
  readonly open: OpenServer;
}

export class LiveClient extends ServerRequests implements RepriseClient {
  readonly url: string;
  readonly name: string;
  readonly #server: CurrentServer;
  readonly #hasLogin: boolean;
  readonly #view: ClientView;
  readonly #connection: ConnectionWatch;
  readonly #recovery: RecoveryWatch;
  readonly #closed = new AbortController();
  readonly #events: ClientEvents;
  protected readonly commands: CommandRunner;

  static async open(options: LiveClientOptions): Promise<LiveClient> {
    return new LiveClient(options, await CurrentServer.open(options.open));
  }

  private constructor(options: LiveClientOptions, server: CurrentServer) {
    super();
    const { clock, store, keepCalls } = options;
    const closed = this.#closed.signal;
    this.url = options.url;
    this.name = options.name;
    this.#hasLogin = options.hasLogin;
    this.#server = server;
    const connection = new ConnectionWatch(server, clock);
    this.#connection = connection;
    this.commands = new CommandRunner(server, connection, closed);
    const callCommands = new CallCommands(server, this.commands, closed);
    this.#view = new ClientView({ server, connection, store, keepCalls, frames, callCommands });
    this.#recovery = new RecoveryWatch(clock);
    this.#events = new ClientEvents({
      state: connection.state,
      questions: this.#view.questions(),
      tools: server.handle.lists.tools,
    });
    server.appended.on((batch) => this.#heed(batch));
    server.changed.on(() => this.#serverChanged());
    server.forgotten.on(() => this.#forgotten());
    connection.changed.on((state) => this.#stateChanged(state));
    this.#view.callChanged.on((call) => this.#events.call(call));
    this.#recovery.recovered.on((messages) => this.#recovered(messages));
    this.#attach();
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  get server(): ServerInfo | undefined {
    return this.#view.server();
  }

  /** For `inspect()` and the login. */
  get handle(): ServerHandle {
    return this.#server.handle;
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  protected get lists(): Catalog {
    return this.#server.handle.lists;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#view.subscribe(listener);

  readonly getSnapshot = (): ClientSnapshot => this.#view.getSnapshot();

  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  async call(tool: string, args: object = {}, options: CallOptions = {}): Promise<Call> {
    const { key, timeoutMs = Infinity, signal } = options;
    const plain = jsonOf(args);
    signal?.throwIfAborted();
    const begun = this.commands
      .whenConnected({ name: 'call', tool, args: plain, options: { timeoutMs, key } })
      .then(asText);
    const onAbort = (): void => {
      void begun.then((callId) => this.commands.run({ name: 'cancel', callId })).catch(() => undefined);
    };
    signal?.addEventListener('abort', onAbort);
    const call = await abortable(
      begun.then((callId) => this.#handleOf(callId)),
      signal,
    );
    void call.result.finally(() => signal?.removeEventListener('abort', onAbort)).catch(() => undefined);
    return call;
  }

  calls({ open, tool }: CallFilter = {}): readonly Call[] {
    return this.#view
      .calls()
      .filter(
        (call) => (open === undefined || isOutcome(call.state) !== open) && (tool ?? call.tool) === call.tool,
      );
  }

  find(key: string): Call | undefined {
    return this.#view.calls().findLast((call) => call.key === key);
  }

  questions(): readonly Question[] {
    return this.#view.questions();
  }

  async answer(question: Question | string, result: Answer<Question>): Promise<void> {
    const requestId = typeof question === 'string' ? question : question.id;
    await this.commands.whenConnected({ name: 'answer', requestId, result });
  }

  async decline(question: Question | string, message?: string): Promise<void> {
    const requestId = typeof question === 'string' ? question : question.id;
    const asked = this.questions().find(({ id }) => id === requestId);
    if (asked?.method === 'elicitation/create') return this.answer(requestId, { action: 'decline' });
    await this.commands.whenConnected({
      name: 'decline',
      requestId,
      ...(message !== undefined && { message }),
    });
  }

  async connect({ signal }: WaitOptions = {}): Promise<ConnectionState> {
    this.commands.requireOpen();
    if (this.state.name === 'failed' || this.state.name === 'disconnected') {
      await abortable(this.#reconnect(), signal);
    }
    return abortable(this.#connection.settled(), signal);
  }

  async login(options: LoginOptions = {}): Promise<ConnectionState> {
    this.commands.requireOpen();
    const { login } = await import('./login.ts');
    return abortable(login(this.#server.handle, this.#connection, options), options.signal);
  }

  async disconnect({ forget = false }: { readonly forget?: boolean | undefined } = {}): Promise<void> {
    this.commands.requireOpen();
    const { handle } = this.#server;
    await handle.execute({ name: 'disconnect' }).catch(() => undefined);
    if (!forget) return;
    if (this.#hasLogin) await handle.login.logOut().catch(() => undefined);
    await handle.forget({ keepsLogin: !this.#hasLogin });
    this.#forgotten();
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#recovery.close();
    this.#server.release();
    this.#connection.close();
    this.#view.close();
    await this.#server.handle.close().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #attach(): void {
    this.#server.attach();
    void this.#begin(this.#server.handle);
  }

  /** A tab that resumes no session by itself begins one. If another tab owns the connection, there is nothing to do. */
  async #begin(handle: ServerHandle): Promise<void> {
    await handle.ready.catch(() => undefined);
    const { role, state } = handle;
    if (this.#closed.signal.aborted || handle !== this.#server.handle || role !== 'leads') return;
    if (!shouldReconnect(state) && state.name !== 'authorizing')
      await this.#reconnect().catch(() => undefined);
  }

  async #reconnect(): Promise<void> {
    if (!this.#server.isReleased) return this.commands.run({ name: 'reconnect' });
    await this.#server.reopen();
    this.#view.restore();
    this.#connection.isForgotten = false;
    this.#attach();
  }

  #forgotten(): void {
    this.#server.release();
    this.#connection.isForgotten = true;
    this.#view.changed();
  }

  #heed(batch: EntryBatch): void {
    this.#connection.heed(batch);
    this.#recovery.heed(batch);
    this.#view.heed(batch);
    this.#events.questions(this.questions());
  }

  #serverChanged(): void {
    this.#connection.look();
    this.#view.changed();
    this.#events.tools(this.#server.handle.lists.tools);
  }

  #stateChanged(state: ConnectionState): void {
    this.#view.changed();
    this.#events.state(state);
  }

  #recovered(messages: number): void {
    const calls = this.calls().filter((call) => call.getSnapshot().counts.replayed > 0);
    this.#events.recovered(messages, calls);
  }

  /** In a tab that follows, a call is there when the tab that owns the connection has stored it. */
  async #handleOf(callId: string): Promise<Call> {
    for (;;) {
      const call = this.#view.find(callId);
      if (call) return call;
      await new Promise<void>((resolve) => {
        const stop = this.#server.handle.log.appended.on(() => {
          stop();
          resolve();
        });
      });
    }
  }
}

/** What is stored and sent is plain data. */
function jsonOf(args: object): object {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new TypeError('The arguments of a call are an object.');
  }
  return JSON.parse(JSON.stringify(args)) as object;
}
