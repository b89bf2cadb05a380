/**
 * The client of one server, in the one tab that leads it. It survives its page: whatever it knows is in the log, and
 * a new one made over the same log goes on where this one was.
 */
import type { Tool } from '@modelcontextprotocol/client';
import { ulid } from '../../base/ulid.ts';
import { requireNothingHidden } from '../../base/hidden.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import { Calls, type CallOptions } from '../calls/calls.ts';
import type { BrowserMcpClientOptions } from './clientOptions.ts';
import { ServerLink } from '../link/serverLink.ts';
import { resultOf } from '../inputRounds/resultOf.ts';
import { InputRounds } from '../inputRounds/inputRounds.ts';
import { taskConnection } from '../tasks/taskConnection.ts';
import { Tasks } from '../tasks/tasks.ts';
import { AutoResponder } from '../questions/autoResponder.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Primitives } from '../catalog/primitives.ts';
import { Questions } from '../questions/questions.ts';
import { SecretInput } from '../exchange/secretInput.ts';
import { CatalogSync } from '../catalog/catalogSync.ts';
import { ServerSession } from './serverSession.ts';
import { TaskReceiver } from '../tasks/taskReceiver.ts';
import { CurrentPreferences } from '../settings/currentPreferences.ts';

export class BrowserMcpClient {
  readonly primitives: Primitives;
  /** Connects, resumes and leaves. */
  readonly session: ServerSession;
  readonly #log: ServerLog;
  readonly #link: ServerLink;
  readonly #calls: Calls;
  readonly #lists: CatalogSync;
  readonly #questions: Questions;
  readonly #tasks: Tasks;
  readonly #inputRounds: InputRounds;
  readonly #receiver: TaskReceiver;
  readonly #responder: AutoResponder;
  readonly #stopListening: () => void;

  constructor(options: BrowserMcpClientOptions) {
    const { log, redactor } = options;
    this.#log = log;
    const preferences = new CurrentPreferences(options.preferences, options.savePreferences);
    const toolOf = (name: string): Tool | undefined => this.#lists.toolOf(name);
    // Which session is taken up is said each time a connection is opened.
    const link = new ServerLink({ ...options, preferences, toolOf });
    this.#link = link;
    this.#lists = new CatalogSync({
      ...options,
      link,
      keepInterface: async (lists) => {
        const { stored } = this.session;
        if (stored) await options.keepInterface(lists, stored);
      },
    });
    const secrets = new SecretInput(redactor, (tool) => toolOf(tool)?.inputSchema);
    this.#tasks = new Tasks({
      ...options,
      newId: ulid,
      connection: () => link.connection && taskConnection(link.connection),
      emit: (event) => link.events.emit(event),
    });
    const rooms = { ...options, link, preferences, secrets, lists: this.#lists, tasks: this.#tasks };
    this.#calls = new Calls(rooms);
    this.#inputRounds = new InputRounds({ ...rooms, calls: this.#calls });
    // Before the responder: a rule must not answer a request that is about to become a task.
    this.#receiver = new TaskReceiver({ ...rooms, newId: ulid });
    this.#questions = new Questions({ ...rooms, receiver: this.#receiver, calls: this.#calls });
    this.#responder = new AutoResponder({ ...rooms, questions: this.#questions, receiver: this.#receiver });
    this.primitives = new Primitives({
      ...rooms,
      requestWithInput: async (method, name, args) =>
        resultOf(log, await this.#calls.begin(link.require(), name, args, { method })),
    });
    this.session = new ServerSession({
      ...rooms,
      primitives: this.primitives,
      calls: this.#calls,
      questions: this.#questions,
      rounds: this.#inputRounds,
    });
    this.#stopListening = log.appended.on(({ others }) => this.#lists.heed(others));
  }

  /** The user has logged in, or goes on without. */
  async authorized(reason: Reason): Promise<ConnectionState> {
    if (this.#link.state.name !== 'authorizing') return this.#shown();
    const isBegun = this.session.stored !== undefined;
    await this.session.resume(reason);
    // A server may shake hands with everybody, and ask who it is when its lists are read.
    if (isBegun) await this.session.readLists();
    return this.#shown();
  }

  /** Without credentials that only another tab has, or that can't be opened, nothing can be sent. */
  lackCredentials(reason: Reason): void {
    this.session.show({ name: 'authorizing', reason, ask: 'credentials' });
  }

  loginFailed(reason: Reason): void {
    void this.session.tell({ kind: 'login-needed', reason, ask: 'login' });
  }

  /** Resolves with the call's id once its intent is stored. */
  async call(tool: string, args: object = {}, options: CallOptions = {}): Promise<string> {
    requireNothingHidden(args);
    return this.#calls.begin(this.#link.require(), tool, args, options);
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
    return this.#link.require().peer.request(method, { ...params });
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
    this.#link.require();
    return this.#tasks.adopt(taskId);
  }

  /** Whoever started it. */
  async cancelTask(taskId: string): Promise<void> {
    const known = this.#log.state.continuations.tasks.get(taskId);
    if (known) return this.cancel(known.callId);
    await this.request('tasks/cancel', { taskId });
    await this.refreshTasks();
  }

  /** The network is back, or the page is visible again. */
  retryNow(): void {
    this.#link.connection?.streams.retryNow();
  }

  async #shown(): Promise<ConnectionState> {
    await this.#log.folded();
    return this.#log.state.connection;
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#calls.close();
    this.#tasks.close();
    this.#inputRounds.close();
    this.#receiver.close();
    this.#responder.close();
    await this.session.close();
  }
}
