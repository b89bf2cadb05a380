/** The client of one server, over the tab that keeps its log. It adds no truth of its own: what it says, the log says. */
import { asText } from '../../base/asText.ts';
import type { Clock } from '../../base/clock.ts';
import { shouldReconnect } from '../../log/state/connectionState.ts';
import type { Entry } from '../../log/entry/entry.ts';
import type { FallbackStore } from '../../storage/fallbackStore.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { abortable } from './abortable.ts';
import type { Call, CallFilter, CallOptions } from './callTypes.ts';
import { ClientEvents } from './clientEvents.ts';
import type { ClientEvents as Events, ClientSnapshot, RepriseClient, WaitOptions } from './clientTypes.ts';
import { ClientView } from './clientView.ts';
import { CommandRunner } from './commandRunner.ts';
import { ConnectionWatch } from './connectionWatch.ts';
import { frames, watchReturn } from './environment.ts';
import type { LoginOptions } from './loginTypes.ts';
import { messagesOf } from './messagesOf.ts';
import { isOutcome } from './outcome.ts';
import type { Answer, Question } from './questionTypes.ts';
import { RecoveryWatch } from './recoveryWatch.ts';
import { ServerRequests } from './serverRequests.ts';
import type { ConnectionState, ServerInfo, StorageState } from './stateTypes.ts';

export interface LiveClientOptions {
  readonly url: string;
  readonly name: string;
  readonly clock: Clock;
  readonly store: FallbackStore;
  readonly keepCalls: number;
  readonly hasLogin: boolean;
  readonly open: () => Promise<ServerHandle>;
}

const STORED: StorageState = { name: 'stored' };

export class LiveClient extends ServerRequests implements RepriseClient {
  readonly url: string;
  readonly name: string;
  readonly #options: LiveClientOptions;
  readonly #view: ClientView;
  readonly #connection: ConnectionWatch;
  readonly #recovery: RecoveryWatch;
  readonly #closed = new AbortController();
  readonly #events: ClientEvents;
  protected readonly commands: CommandRunner;
  #tab: ServerHandle;
  #detach: readonly (() => void)[] = [];
  #storage = STORED;

  static async open(options: LiveClientOptions): Promise<LiveClient> {
    return new LiveClient(options, await options.open());
  }

  private constructor(options: LiveClientOptions, tab: ServerHandle) {
    super();
    this.#options = options;
    this.#tab = tab;
    this.url = options.url;
    this.name = options.name;
    this.#connection = new ConnectionWatch(
      () => this.#tab,
      () => options.clock.now(),
    );
    this.commands = new CommandRunner(() => this.#tab, this.#connection, this.#closed.signal);
    this.#view = new ClientView({
      tab: () => this.#tab,
      state: () => this.#connection.state,
      storage: () => this.#storage,
      keepCalls: options.keepCalls,
      frames,
      host: {
        cancel: (callId, message) =>
          this.commands.run({ name: 'cancel', callId, ...(message !== undefined && { message }) }),
        forget: (callId) => this.commands.run({ name: 'forget-call', callId }),
        messages: (callId, wanted) => messagesOf(this.#messageSource(), callId, wanted, this.#closed.signal),
      },
    });
    const { state } = this.#connection;
    this.#events = new ClientEvents({ state, questions: this.questions(), tools: tab.lists.tools });
    this.#recovery = new RecoveryWatch(options.clock, (messages) => {
      const calls = this.calls().filter((call) => call.getSnapshot().counts.replayed > 0);
      this.#events.recovered(messages, calls);
    });
    this.#view.callChanged.on((call) => this.#events.call(call));
    this.#connection.changed.on((state) => this.#stateChanged(state));
    this.#attach(tab);
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  get server(): ServerInfo | undefined {
    return this.#view.server();
  }

  /** For `inspect()`. */
  get tab(): ServerHandle {
    return this.#tab;
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  protected get lists(): Catalog {
    return this.#tab.lists;
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
    return abortable(login(this.#tab, this.#connection, options), options.signal);
  }

  async disconnect({ forget = false }: { readonly forget?: boolean | undefined } = {}): Promise<void> {
    this.commands.requireOpen();
    await this.#tab.execute({ name: 'disconnect' }).catch(() => undefined);
    if (!forget) return;
    const { hasLogin } = this.#options;
    if (hasLogin) await this.#tab.login.logOut().catch(() => undefined);
    await this.#tab.forget({ keepsLogin: !hasLogin });
    this.#forgotten();
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#recovery.close();
    for (const undo of this.#detach) undo();
    this.#connection.close();
    this.#view.close();
    await this.#tab.close().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #attach(tab: ServerHandle): void {
    this.#detach = [
      tab.log.appended.on((entries) => this.#heed(entries)),
      tab.changed.on(() => this.#tabChanged()),
      tab.forgotten.on(() => this.#forgotten()),
      this.#options.store.onDegraded.on(({ trouble, detail }) => {
        this.#storage = Object.freeze({ name: 'memory-only', reason: trouble, why: detail });
        this.#view.changed();
      }),
      watchReturn(() => tab.retryNow()),
    ];
    void this.#begin(tab);
  }

  /** A tab that takes up no session by itself begins one. In another tab's shadow there is nothing to do. */
  async #begin(tab: ServerHandle): Promise<void> {
    await tab.ready.catch(() => undefined);
    const { role, state } = tab;
    if (this.#closed.signal.aborted || tab !== this.#tab || role !== 'leads') return;
    if (!shouldReconnect(state) && state.name !== 'authorizing')
      await this.#reconnect().catch(() => undefined);
  }

  async #reconnect(): Promise<void> {
    if (this.#detach.length === 0) {
      this.#tab = await this.#options.open();
      this.#view.restore();
      this.#connection.isForgotten = false;
      this.#attach(this.#tab);
      return;
    }
    await this.commands.run({ name: 'reconnect' });
  }

  #forgotten(): void {
    for (const undo of this.#detach) undo();
    this.#detach = [];
    this.#connection.isForgotten = true;
    this.#view.changed();
  }

  #heed(entries: readonly Entry[]): void {
    this.#connection.heed(entries);
    this.#recovery.heed(entries);
    this.#view.heed(entries);
    this.#events.questions(this.questions());
  }

  #tabChanged(): void {
    this.#connection.look();
    this.#view.changed();
    this.#events.tools(this.#tab.lists.tools);
  }

  #stateChanged(state: ConnectionState): void {
    this.#view.changed();
    this.#events.state(state);
  }

  /** In a tab that follows, a call is there when the tab that owns the connection has stored it. */
  async #handleOf(callId: string): Promise<Call> {
    for (;;) {
      const call = this.#view.find(callId);
      if (call) return call;
      await new Promise<void>((resolve) => {
        const stop = this.#tab.log.appended.on(() => {
          stop();
          resolve();
        });
      });
    }
  }

  #messageSource() {
    const tab = this.#tab;
    return { log: tab.log, entries: () => tab.entries() };
  }
}

/** What is stored and sent is plain data. */
function jsonOf(args: object): object {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new TypeError('The arguments of a call are an object.');
  }
  return JSON.parse(JSON.stringify(args)) as object;
}
