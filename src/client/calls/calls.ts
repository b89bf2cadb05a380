/** The calls of one server: begun, timed, cancelled, given up. How they end well is read from the log. */
import { ulid } from 'ulid';
import type { Clock } from '../../base/clock.ts';
import { isObject, numberField, stringField } from '../../base/json.ts';
import { reason as wordsOf } from '../../base/words.ts';
import { isOpen, type AskedMethod, type Call } from '../../log/state/call.ts';
import type { CallChange } from '../../log/entry/entry.ts';
import type { Round } from '../../log/state/callContinuations.ts';
import type { Log } from '../../log/log.ts';
import type { Transition } from '../../log/state/transition.ts';
import { followUpId } from '../../log/protocol/wireId.ts';
import { limitsOf, nextStep, type TimeoutStep } from './callTimeouts.ts';
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
  readonly log: Log;
  readonly clock: Clock;
  /** Resolves when everything in the log so far is stored. */
  readonly flushed: () => Promise<void>;
  readonly link: { readonly connection: Connection | undefined };
  readonly lists: {
    /** May this tool be called again without asking? */
    isRepeatable(tool: string): boolean;
  };
  readonly tasks: { cancel(callId: string): Promise<void> };
  readonly secrets: SecretInput;
}

/** A call that waits for a person is looked at again after this. */
const WAITING_MS = 30_000;
/** MCP 2026-07-28, HeaderMismatch. */
const HEADER_MISMATCH = -32020;

export class Calls {
  readonly #options: CallsOptions;
  readonly #timeouts = new Map<string, () => void>();
  readonly #mismatched = new Set<string>();
  readonly #repeated = new Set<string>();
  readonly #stopListening: () => void;

  constructor(options: CallsOptions) {
    this.#options = options;
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
    if (this.#options.log.head.calls.has(callId)) return callId;
    const joined = key === undefined ? undefined : this.#openWithKey(key, { tool, args });
    if (joined !== undefined) return joined;
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
    await this.#options.flushed();
    this.#send(connection, { callId, wireId: callId, method, tool, args, ...(meta && { meta }) });
    return callId;
  }

  /** The call that is open under this key, once its intent is stored. Decided before anything is awaited. */
  #openWithKey(key: string, input: CallInput): Promise<string> | undefined {
    const { log, secrets, flushed } = this.#options;
    const open = log.head.calls.openWithKey(key);
    if (!open) return undefined;
    if (secrets.isSame(open, input)) return flushed().then(() => open.id);
    throw new CommandError(
      'key-in-use',
      `An open call with the key “${key}” has another tool or other arguments.`,
    );
  }

  /** Takes a call that has ended off the list. */
  async forget(callId: string): Promise<void> {
    const call = this.#options.log.head.calls.get(callId);
    if (!call) return;
    if (isOpen(call)) throw new CommandError('call-open', 'The call is still open. Cancel it first.');
    this.change(callId, { name: 'forgotten' });
    await this.#options.flushed();
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
    if (outcome.kind !== 'status' || this.#mismatched.has(callId)) return false;
    return errorOf(outcome.body)?.code === HEADER_MISMATCH;
  }

  /**
   * The same request once more, for a call of an earlier page, at a server that runs a request once however often it
   * comes. @returns whether it could be sent
   */
  repeat(callId: string): boolean {
    const call = this.#options.log.head.calls.get(callId);
    const connection = this.#options.link.connection;
    const again = call && this.#options.secrets.again(call);
    if (!connection || !again) return false;
    this.#repeated.add(callId);
    this.#send(connection, { callId, wireId: callId, ...again.input });
    return true;
  }

  #sendAgain(callId: string, wireId: string, round?: Round): void {
    const call = this.#options.log.head.calls.get(callId);
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
        error: { code: 0, message: wordsOf(error) },
        reason: { code: 'not-sent' },
      });
    });
  }

  /** @param message what the server is told */
  async cancel(callId: string, reason: Reason, message = cancelText(reason)): Promise<void> {
    const call = this.#options.log.head.calls.get(callId);
    if (!call || !isOpen(call)) return;
    this.change(callId, { name: 'cancelled', reason });
    const connection = this.#options.link.connection;
    connection?.streams.drop(callId);
    // MCP: a task is cancelled as a task, never by `notifications/cancelled`.
    if (call.taskId === undefined) await connection?.cancel(callId, message).catch(() => undefined);
    else await this.#options.tasks.cancel(callId);
    await this.#options.flushed();
  }

  /** The server wants a login, or more rights, before it runs a call. */
  refuse(callId: string, verdict: Verdict, because: Reason): void {
    const code = verdict.reason.code === 'forbidden' ? 'forbidden' : 'unauthorized';
    this.change(callId, {
      name: 'failed',
      error: { code: 403 },
      reason: { code, because, so: 'not-run' },
    });
  }

  /** The POST of a call failed. */
  fail(callId: string, verdict: Verdict, outcome: Outcome): void {
    if (verdict.name === 'session-gone') {
      const so = this.#repeated.has(callId) ? 'may-have-run' : 'not-run-call-again';
      this.change(callId, { name: 'lost', reason: { ...verdict.reason, so } });
    } else if (outcome.kind === 'threw') {
      const reason = { code: 'no-answer', how: 'call', text: outcome.why } as const;
      this.change(callId, { name: 'unknown', reason });
    } else {
      const { status } = outcome;
      const error = errorOf(outcome.body);
      this.change(
        callId,
        error
          ? { name: 'failed', error, reason: { code: 'rpc-error' } }
          : {
              name: 'failed',
              error: { code: status },
              reason: { code: 'http-error', status, because: verdict.reason },
            },
      );
    }
  }

  /**
   * Sends a call that takes longer than its timeout into the background, and ends it when it may not go on there either.
   * `since`: when its time began, if not at its start. `atLeastMs`: a page that comes back first gets what it has
   * missed, and the result may be in it.
   */
  watch(callId: string, { since, atLeastMs = 0 }: { since?: number; atLeastMs?: number } = {}): void {
    const call = this.#options.log.head.calls.get(callId);
    if (!call || !isOpen(call)) return;
    const { clock } = this.#options;
    const next = nextStep({ ...call, startedAt: since ?? call.startedAt });
    this.#timeouts.get(callId)?.();
    if (!next) return;
    this.#timeouts.set(
      callId,
      clock.after(Math.max(atLeastMs, next.at - clock.now()), () => {
        this.#takeStep(callId, next);
      }),
    );
  }

  /** Gives up every open call, but for tasks: they live on the server. Returns how many there were. */
  loseAll(reason: Reason): void {
    const open = [...this.#options.log.head.calls.values()].filter(
      (call) => isOpen(call) && call.taskId === undefined,
    );
    for (const { id } of open) this.change(id, { name: 'lost', reason });
  }

  change(callId: string, change: CallChange): void {
    this.#options.log.append({ body: { kind: 'call', callId, change } });
  }

  close(): void {
    this.#stopListening();
    for (const cancel of this.#timeouts.values()) cancel();
    this.#timeouts.clear();
  }

  #takeStep(callId: string, step: TimeoutStep): void {
    if (step.name === 'background') {
      this.change(callId, { name: 'background' });
      this.watch(callId);
    } else if (this.#options.log.head.calls.get(callId)?.name === 'needs-input') {
      this.watch(callId, { atLeastMs: WAITING_MS });
    } else {
      void this.cancel(callId, step.reason);
    }
  }

  #heed(transition: Transition): void {
    switch (transition.kind) {
      case 'callEnded':
        this.#disarm(transition.call.id);
        this.#options.secrets.forget(transition.call.id);
        return;
      case 'taskChanged':
      case 'roundChanged': {
        const call = this.#options.log.head.calls.get(transition.callId);
        if (call && isUnhurried(call)) this.#disarm(call.id);
        return;
      }
      default:
    }
  }

  #disarm(callId: string): void {
    this.#timeouts.get(callId)?.();
    this.#timeouts.delete(callId);
  }
}

/** A task has its own time to live; and while a person thinks, no request of a stateless server is open. */
function isUnhurried({ name, taskId, era }: Call): boolean {
  return taskId !== undefined || (era === 'stateless' && name === 'needs-input');
}

/** What the server is told of a cancellation. */
function cancelText(reason: Reason): string {
  if (reason.code === 'timed-out') return noResultText(reason.timeoutMs, reason.backgroundMs);
  return reason.code === 'user-declined' ? DECLINED_BY_USER : CANCELLED_BY_USER;
}

/** Some servers put a JSON-RPC error into the body of an error status. */
function errorOf(body: string): { code: number; message: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = isObject(parsed) ? parsed['error'] : undefined;
    const message = stringField(error, 'message');
    return message === undefined ? undefined : { code: numberField(error, 'code') ?? 0, message };
  } catch {
    return undefined;
  }
}
