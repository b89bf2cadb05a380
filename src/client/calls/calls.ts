/** The calls of one server: begun, timed, cancelled, given up. How they end well is read from the log. */
import { ulid } from '../../base/ulid.ts';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/format.ts';
import { isOpen, type AskedMethod, type Call } from '../../log/state/call.ts';
import type { CallChange } from '../../log/entry/entry.ts';
import type { Round } from '../../log/state/callContinuations.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { Transition } from '../../log/state/transition.ts';
import { followUpId } from '../../log/protocol/wireId.ts';
import { CallClock, type WatchOptions } from './callClock.ts';
import { failureOf, isHeaderMismatch, refusalOf } from './callFailure.ts';
import { limitsOf, type TimeoutStep } from './callTimeouts.ts';
import type { Outcome, Verdict } from '../exchange/classifyFailure.ts';
import type { Connection } from '../link/connection.ts';
import type { ToolCall } from '../protocol/driver.ts';
import { CommandError } from '../commandError.ts';
import type { CallInput, SecretInput } from '../exchange/secretInput.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import { CANCELLED_BY_USER, DECLINED_BY_USER, noResultText } from '../../log/reasons/shortTexts.ts';

export interface CallOptions {
  /** After this the call goes on in the background, if it may. `Infinity`: no limit. */
  readonly timeoutMs?: number | undefined;
  /** How long it may go on in the background. With a `timeoutMs` and without this, the timeout is the end. */
  readonly backgroundMs?: number;
  /** The app's name for this piece of work: there is one open call with it at a time. */
  readonly key?: string | undefined;
  /** Sent as `_meta`, beside what the protocol needs. */
  readonly meta?: object;
  /** Chosen by the tab that asks: a call with this ID is begun once. */
  readonly callId?: string;
  /** The call whose view makes this one. */
  readonly appOf?: string;
}

export interface CallsOptions {
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly link: { readonly connection: Connection | undefined };
  readonly lists: {
    /** May this tool be called again without asking? */
    isRepeatable(tool: string): boolean;
  };
  readonly tasks: { cancel(callId: string): Promise<void> };
  readonly secrets: SecretInput;
}

export class Calls {
  readonly #options: CallsOptions;
  readonly #time: CallClock;
  /** On their way into the log. */
  readonly #beginning = new Map<string, Pick<Call, 'id' | 'tool' | 'args'> & { key: string | undefined }>();
  /** Cancelled, and the log doesn't show it yet. */
  readonly #cancelling = new Set<string>();
  readonly #mismatched = new Set<string>();
  readonly #repeated = new Set<string>();
  readonly #stopListening: () => void;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#time = new CallClock(
      options.log,
      options.clock,
      (callId, step) => void this.#takeStep(callId, step),
    );
    this.#stopListening = options.log.changed.on((transitions) => {
      for (const transition of transitions) this.#heed(transition);
    });
  }

  /** Resolves with the call's id once its intent is stored; the POST leaves after that. */
  async begin(
    connection: Pick<Connection, 'callTool' | 'driver'>,
    tool: string,
    args: object,
    {
      method,
      key,
      meta,
      callId = ulid(),
      appOf,
      ...limits
    }: CallOptions & { readonly method?: AskedMethod } = {},
  ): Promise<string> {
    if (this.#options.log.state.calls.has(callId) || this.#beginning.has(callId)) return callId;
    const joined = key === undefined ? undefined : this.#openWithKey(key, { tool, args });
    if (joined !== undefined) return joined;
    this.#beginning.set(callId, { id: callId, key, tool, args });
    this.change(callId, {
      name: 'sending',
      ...(method && { method }),
      tool,
      args: this.#options.secrets.begin(callId, { method, tool, args, ...(meta && { meta }) }),
      ...(meta && { meta }),
      ...(key !== undefined && { key }),
      ...limitsOf(limits),
      repeatable: method !== undefined || this.#options.lists.isRepeatable(tool),
      ...connection.driver.callFacts,
      ...(appOf !== undefined && { appOf }),
    });
    await this.#options.log.flushed();
    this.#beginning.delete(callId);
    this.#send(connection, { callId, wireId: callId, method, tool, args, ...(meta && { meta }) });
    return callId;
  }

  /** The call that is open under this key, once its intent is stored. Decided before anything is awaited. */
  #openWithKey(key: string, input: CallInput): Promise<string> | undefined {
    const { log, secrets } = this.#options;
    const beginning = [...this.#beginning.values()].find((one) => one.key === key);
    const open = beginning ?? log.state.calls.openWithKey(key);
    if (!open) return undefined;
    if (secrets.isSame(open, input)) return log.flushed().then(() => open.id);
    throw new CommandError(
      'key-in-use',
      `An open call with the key “${key}” has another tool or other arguments.`,
    );
  }

  /** Takes a call that has ended off the list. */
  async forget(callId: string): Promise<void> {
    const call = this.#options.log.state.calls.get(callId);
    if (!call) return;
    if (isOpen(call)) throw new CommandError('call-open', 'The call is still open. Cancel it first.');
    this.change(callId, { name: 'forgotten' });
    await this.#options.log.flushed();
  }

  /** The same call again, with the answers to what the server asked; its time begins anew. */
  retry(wireId: string, round: Round): void {
    this.#sendAgain(round.callId, wireId, round);
  }

  /**
   * MCP 2026-07-28: a server that found headers and body to differ has not run the call. The tools are listed again,
   * and it is sent once more.
   */
  async retryAfterMismatch(callId: string, refreshTools: () => Promise<void>): Promise<void> {
    this.#mismatched.add(callId);
    await refreshTools().catch(() => undefined);
    this.#sendAgain(callId, followUpId(callId, 'retry', '1'));
  }

  mayRetryMismatch(callId: string, outcome: Outcome): boolean {
    return !this.#mismatched.has(callId) && isHeaderMismatch(outcome);
  }

  /**
   * The same request once more, for a call of an earlier page, at a server that runs a request once however often it
   * comes. @returns whether it could be sent
   */
  repeat(callId: string): boolean {
    const call = this.#options.log.state.calls.get(callId);
    const connection = this.#options.link.connection;
    const again = call && this.#options.secrets.again(call);
    if (!connection || !again) return false;
    this.#repeated.add(callId);
    this.#send(connection, { callId, wireId: callId, ...again.input });
    return true;
  }

  #sendAgain(callId: string, wireId: string, round?: Round): void {
    const call = this.#options.log.state.calls.get(callId);
    const connection = this.#options.link.connection;
    if (!call || !connection) return;
    const again = this.#options.secrets.again(call, round);
    if (again) {
      this.#send(connection, { callId, wireId, ...again.input, ...(again.round && { round: again.round }) });
      return;
    }
    this.change(callId, { name: 'lost', reason: { code: 'secret-not-stored' } });
  }

  #send(connection: Pick<Connection, 'callTool'>, call: ToolCall): void {
    const { callId } = call;
    this.watch(callId, { since: this.#options.clock.now() });
    connection.callTool(call).catch((error: unknown) => {
      // What failed on the wire was told by the recording fetch; this is for what never got there.
      if (error instanceof Error && 'status' in error) return;
      this.change(callId, {
        name: 'failed',
        error: { code: 0, message: errorMessage(error) },
        reason: { code: 'not-sent' },
      });
    });
  }

  /** @param message what the server is told */
  async cancel(callId: string, reason: Reason, message = cancelText(reason)): Promise<void> {
    const call = this.#options.log.state.calls.get(callId);
    if (!call || !isOpen(call) || this.#cancelling.has(callId)) return;
    this.#cancelling.add(callId);
    this.change(callId, { name: 'cancelled', reason });
    void this.#options.log.folded().then(() => this.#cancelling.delete(callId));
    const connection = this.#options.link.connection;
    connection?.streams.drop(callId);
    // MCP: a task is cancelled as a task, never by `notifications/cancelled`.
    if (call.taskId === undefined) await connection?.cancel(callId, message).catch(() => undefined);
    else await this.#options.tasks.cancel(callId);
    await this.#options.log.flushed();
  }

  /** The server wants a login, or more rights, before it runs a call. */
  refuse(callId: string, verdict: Verdict, because: Reason): void {
    this.change(callId, refusalOf(verdict, because));
  }

  /** The POST of a call failed. */
  fail(callId: string, verdict: Verdict, outcome: Outcome): void {
    this.change(callId, failureOf(verdict, outcome, { wasRepeated: this.#repeated.has(callId) }));
  }

  /** From now on its time runs. */
  watch(callId: string, options?: WatchOptions): void {
    this.#time.watch(callId, options);
  }

  /** Gives up every open call, but for tasks: they live on the server. Returns how many there were. */
  loseAll(reason: Reason): void {
    const open = [...this.#options.log.state.calls.values()].filter(
      (call) => isOpen(call) && call.taskId === undefined,
    );
    for (const { id } of open) this.change(id, { name: 'lost', reason });
  }

  change(callId: string, change: CallChange): void {
    this.#options.log.append({ body: { kind: 'call', callId, change } });
  }

  close(): void {
    this.#stopListening();
    this.#time.close();
  }

  async #takeStep(callId: string, step: TimeoutStep): Promise<void> {
    if (step.name !== 'background') return this.cancel(callId, step.reason);
    this.change(callId, { name: 'background' });
    await this.#options.log.folded();
    this.watch(callId);
  }

  #heed(transition: Transition): void {
    switch (transition.kind) {
      case 'callEnded':
        this.#time.disarm(transition.call.id);
        this.#options.secrets.forget(transition.call.id);
        return;
      case 'taskChanged':
      case 'roundChanged':
        return this.#time.disarmIfUnhurried(transition.callId);
      default:
    }
  }
}

/** What the server is told of a cancellation. */
function cancelText(reason: Reason): string {
  if (reason.code === 'timed-out') return noResultText(reason.timeoutMs, reason.backgroundMs);
  return reason.code === 'user-declined' ? DECLINED_BY_USER : CANCELLED_BY_USER;
}
