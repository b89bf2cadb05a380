/** The client of one server, over the tab that keeps its log. It adds no truth of its own: what it says, the log says. */
import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/client';
import { asText } from '../../base/asText.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { shouldReconnect } from '../../log/state/connectionState.ts';
import type { Entry } from '../../log/entry/entry.ts';
import type { FallbackStore } from '../../storage/fallbackStore.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import type { Command } from '../tabs/tabChannel.ts';
import { abortable } from './abortable.ts';
import type { Call, CallFilter, CallOptions } from './callTypes.ts';
import { clientErrorOf, closedError } from './clientError.ts';
import type { ClientEvents, ClientSnapshot, RepriseClient, WaitOptions } from './clientTypes.ts';
import { ClientView } from './clientView.ts';
import { ConnectionWatch } from './connectionWatch.ts';
import { frames, watchReturn } from './environment.ts';
import type { LoginOptions } from './loginTypes.ts';
import { messagesOf } from './messagesOf.ts';
import { isOutcome } from './outcome.ts';
import { isSameEvent } from './publicState.ts';
import type { Answer, Question } from './questionTypes.ts';
import { RecoveryWatch } from './recoveryWatch.ts';
import { requestCommand } from './requestCommand.ts';
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

type Emitters = { readonly [E in keyof ClientEvents]: Emitter<ClientEvents[E]> };

const STORED: StorageState = { name: 'stored' };

export class LiveClient implements RepriseClient {
  readonly url: string;
  readonly name: string;
  readonly #options: LiveClientOptions;
  readonly #view: ClientView;
  readonly #connection: ConnectionWatch;
  readonly #recovery: RecoveryWatch;
  readonly #closed = new AbortController();
  readonly #events: Emitters = {
    state: new Emitter(),
    call: new Emitter(),
    question: new Emitter(),
    tools: new Emitter(),
    recovered: new Emitter(),
  };
  #tab: ServerHandle;
  #detach: readonly (() => void)[] = [];
  #told: ConnectionState;
  #asked: ReadonlySet<string>;
  #tools: readonly Tool[];
  #storage = STORED;

  static async open(options: LiveClientOptions): Promise<LiveClient> {
    return new LiveClient(options, await options.open());
  }

  private constructor(options: LiveClientOptions, tab: ServerHandle) {
    this.#options = options;
    this.#tab = tab;
    this.url = options.url;
    this.name = options.name;
    this.#connection = new ConnectionWatch(
      () => this.#tab,
      () => options.clock.now(),
    );
    this.#told = this.#connection.state;
    this.#tools = tab.lists.tools;
    this.#view = new ClientView({
      tab: () => this.#tab,
      state: () => this.#connection.state,
      storage: () => this.#storage,
      keepCalls: options.keepCalls,
      frames,
      host: {
        cancel: (callId, message) =>
          this.#execute({ name: 'cancel', callId, ...(message !== undefined && { message }) }),
        forget: (callId) => this.#execute({ name: 'forget-call', callId }),
        messages: (callId, wanted) => messagesOf(this.#messageSource(), callId, wanted, this.#closed.signal),
      },
    });
    this.#asked = new Set(this.questions().map(({ id }) => id));
    this.#recovery = new RecoveryWatch(options.clock, (messages) => {
      const calls = this.calls().filter((call) => call.getSnapshot().counts.replayed > 0);
      this.#events.recovered.emit({ messages, calls });
    });
    this.#view.callChanged.on((call) => this.#events.call.emit(call));
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

  readonly subscribe = (listener: () => void): (() => void) => this.#view.subscribe(listener);

  readonly getSnapshot = (): ClientSnapshot => this.#view.getSnapshot();

  on<E extends keyof ClientEvents>(event: E, listener: (value: ClientEvents[E]) => void): () => void {
    return this.#events[event].on(listener);
  }

  async call(tool: string, args: object = {}, options: CallOptions = {}): Promise<Call> {
    const { key, timeoutMs = Infinity, signal } = options;
    const plain = jsonOf(args);
    signal?.throwIfAborted();
    const begun = this.#whenConnected(async () =>
      asText(await this.#tab.execute({ name: 'call', tool, args: plain, options: { timeoutMs, key } })),
    );
    const onAbort = (): void => {
      void begun.then((callId) => this.#execute({ name: 'cancel', callId })).catch(() => undefined);
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
    await this.#whenConnected(() => this.#tab.execute({ name: 'answer', requestId, result }));
  }

  async decline(question: Question | string, message?: string): Promise<void> {
    const requestId = typeof question === 'string' ? question : question.id;
    const asked = this.questions().find(({ id }) => id === requestId);
    if (asked?.method === 'elicitation/create') return this.answer(requestId, { action: 'decline' });
    await this.#whenConnected(() =>
      this.#tab.execute({ name: 'decline', requestId, ...(message !== undefined && { message }) }),
    );
  }

  tools(options?: WaitOptions): Promise<readonly Tool[]> {
    return this.#list('tools', options);
  }

  resources(options?: WaitOptions): Promise<readonly Resource[]> {
    return this.#list('resources', options);
  }

  resourceTemplates(options?: WaitOptions): Promise<readonly ResourceTemplateType[]> {
    return this.#list('resourceTemplates', options);
  }

  prompts(options?: WaitOptions): Promise<readonly Prompt[]> {
    return this.#list('prompts', options);
  }

  async readResource(uri: string, options?: WaitOptions): Promise<ReadResourceResult> {
    return (await this.#request('resources/read', { uri }, options)) as ReadResourceResult;
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: WaitOptions,
  ): Promise<GetPromptResult> {
    return (await this.#request('prompts/get', { name, arguments: args }, options)) as GetPromptResult;
  }

  /** The types of the interface tell what a method takes and gives. */
  async request(method: string, params: object = {}, options?: WaitOptions): Promise<never> {
    return (await this.#request(method, params, options)) as never;
  }

  async connect({ signal }: WaitOptions = {}): Promise<ConnectionState> {
    this.#requireOpen();
    if (this.state.name === 'failed' || this.state.name === 'disconnected') {
      await abortable(this.#reconnect(), signal);
    }
    return abortable(this.#connection.settled(), signal);
  }

  async login(options: LoginOptions = {}): Promise<ConnectionState> {
    this.#requireOpen();
    const { login } = await import('./login.ts');
    return abortable(login(this.#tab, this.#connection, options), options.signal);
  }

  async disconnect({ forget = false }: { readonly forget?: boolean | undefined } = {}): Promise<void> {
    this.#requireOpen();
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
    await this.#execute({ name: 'reconnect' });
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
    const questions = this.questions();
    const isNew = questions.filter(({ id }) => !this.#asked.has(id));
    if (isNew.length > 0 || questions.length !== this.#asked.size) {
      this.#asked = new Set(questions.map(({ id }) => id));
    }
    for (const question of isNew) this.#events.question.emit(question);
  }

  #tabChanged(): void {
    this.#connection.look();
    const { tools } = this.#tab.lists;
    this.#view.changed();
    if (tools === this.#tools) return;
    const isChanged = JSON.stringify(tools) !== JSON.stringify(this.#tools);
    this.#tools = tools;
    if (isChanged) this.#events.tools.emit(tools);
  }

  #stateChanged(state: ConnectionState): void {
    const before = this.#told;
    this.#told = state;
    this.#view.changed();
    if (!isSameEvent(before, state)) this.#events.state.emit(state);
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

  async #list<Name extends keyof Catalog>(name: Name, { signal }: WaitOptions = {}): Promise<Catalog[Name]> {
    await abortable(
      this.#whenConnected(() => this.#tab.execute({ name: 'lists' })),
      signal,
    );
    return this.#tab.lists[name];
  }

  #request(method: string, params: object, { signal }: WaitOptions = {}): Promise<unknown> {
    const command = requestCommand(method, params);
    return abortable(
      this.#whenConnected(() => this.#tab.execute(command)),
      signal,
    );
  }

  /** Waits while the connection is on its way, also if it breaks in between. */
  async #whenConnected<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#connection.connected();
      try {
        return await this.#unlessClosed(run());
      } catch (error) {
        const failed = clientErrorOf(error);
        if (failed.code !== 'not-connected') throw failed;
        // The log is about to say that the connection has broken.
        await this.#connection.until(({ name }) => name !== 'connected');
      }
    }
  }

  async #execute(command: Command): Promise<void> {
    this.#requireOpen();
    try {
      await this.#unlessClosed(this.#tab.execute(command));
    } catch (error) {
      throw clientErrorOf(error);
    }
  }

  #unlessClosed<T>(work: Promise<T>): Promise<T> {
    return abortable(work, this.#closed.signal).catch((error: unknown) => {
      throw this.#closed.signal.aborted ? closedError() : error;
    });
  }

  #requireOpen(): void {
    if (this.#closed.signal.aborted) throw closedError();
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
