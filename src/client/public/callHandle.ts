/** One call as a live object: the same one for as long as the page lives, whatever page the call was made in. */
import type { Call as LoggedCall, CallName } from '../../log/state/call.ts';
import type { CallCommands } from './callCommands.ts';
import type { Call, CallMessage, CallSnapshot, CallState, MessagesOptions, Outcome } from './callTypes.ts';
import { closedError } from './clientError.ts';
import { isOutcome } from './outcome.ts';

export type CallActions = Pick<CallCommands, keyof CallCommands>;

/** Where a call is read from. */
export interface CallSource {
  /** The call as the log has it now; nothing, if it was forgotten. */
  logged(callId: string): LoggedCall | undefined;
  snapshotOf(call: LoggedCall): CallSnapshot;
  /** Calls the listener with the frames in which anything of the client has changed. */
  subscribe(listener: () => void): () => void;
}

export class CallHandle implements Call {
  readonly id: string;
  readonly key: string | undefined;
  readonly tool: string;
  readonly args: object;
  readonly startedAt: number;
  readonly result: Promise<Outcome>;
  readonly #source: CallSource;
  readonly #commands: CallActions;
  #known: LoggedCall;
  /** Its state when the client last told of it. */
  #told: CallName;
  /** As it was when listeners were last called: a snapshot changes with them, not before. */
  #shown: CallSnapshot;
  #settle: (outcome: Outcome) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(source: CallSource, commands: CallActions, call: LoggedCall) {
    this.#source = source;
    this.#commands = commands;
    this.#known = call;
    this.#told = call.name;
    this.#shown = source.snapshotOf(call);
    this.id = call.id;
    this.key = call.key;
    this.tool = call.tool;
    this.args = call.args;
    this.startedAt = call.startedAt;
    this.result = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
    });
    // An app that never looks at the result has nothing to handle.
    this.result.catch(() => undefined);
    this.#settleIfEnded();
  }

  get state(): CallState {
    return this.#source.snapshotOf(this.#current()).state;
  }

  get progress(): Call['progress'] {
    return this.#current().progress;
  }

  /** Takes note of what has become of the call. @returns whether its state has changed */
  look(): boolean {
    const { name } = this.#current();
    // The hot path of a burst: most messages of a call change nothing here.
    if (name === this.#told) return false;
    this.#told = name;
    this.#settleIfEnded();
    return true;
  }

  /** A new frame: what was shown before is not shown any more. */
  show(): void {
    this.#shown = this.#source.snapshotOf(this.#current());
  }

  /** The client is closed; the call goes on without it. */
  close(): void {
    this.#reject(closedError());
  }

  messages(options: MessagesOptions = {}): AsyncIterable<CallMessage> {
    return this.#commands.messages(this.id, options);
  }

  cancel(message?: string): Promise<void> {
    return this.#commands.cancel(this.id, message);
  }

  forget(): Promise<void> {
    return this.#commands.forget(this.id);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    let seen = this.#shown;
    return this.#source.subscribe(() => {
      if (seen === this.#shown) return;
      seen = this.#shown;
      listener();
    });
  };

  readonly getSnapshot = (): CallSnapshot => this.#shown;

  #settleIfEnded(): void {
    const { state } = this;
    if (isOutcome(state)) this.#settle(state);
  }

  /** A call that was forgotten stays as it was. */
  #current(): LoggedCall {
    this.#known = this.#source.logged(this.id) ?? this.#known;
    return this.#known;
  }
}
