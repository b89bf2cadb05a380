/** What an app draws: a frozen snapshot that changes at most once per frame, and the calls as live objects. */
import { Emitter } from '../../base/emitter.ts';
import { FrameBatcher, type FrameClock } from '../../base/frameBatcher.ts';
import type { EntryBatch } from '../../log/entry/entryBatch.ts';
import { isToolCall, type Call as LoggedCall } from '../../log/state/call.ts';
import type { FallbackStore } from '../../storage/fallbackStore.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { CallHandle, type CallActions, type CallSource } from './callHandle.ts';
import type { CallSnapshot } from './callTypes.ts';
import type { ClientSnapshot } from './clientTypes.ts';
import type { Question } from './questionTypes.ts';
import { listedCalls, questionOf, serverInfoOf, snapshotOf, storageStateOf } from './snapshots.ts';
import type { ConnectionState, ServerInfo } from './stateTypes.ts';

export interface ClientViewOptions {
  readonly server: { readonly handle: Pick<ServerHandle, 'log' | 'lists' | 'session'> };
  readonly connection: { readonly state: ConnectionState };
  readonly store: Pick<FallbackStore, 'degraded' | 'onDegraded'>;
  readonly keepCalls: number;
  readonly frames: FrameClock;
  readonly callCommands: CallActions;
}

export class ClientView implements CallSource {
  /** A call began, changed its state or ended. */
  readonly callChanged = new Emitter<CallHandle>();
  readonly #options: ClientViewOptions;
  readonly #drawn = new Emitter<undefined>();
  readonly #frames: FrameBatcher;
  readonly #handles = new Map<string, CallHandle>();
  readonly #stopWatching: () => void;
  #info: { readonly of: object; readonly info: ServerInfo } | undefined;
  #snapshot: ClientSnapshot;

  constructor(options: ClientViewOptions) {
    this.#options = options;
    this.#frames = new FrameBatcher(options.frames);
    this.#stopWatching = options.store.onDegraded.on(() => this.changed());
    this.restore();
    this.#snapshot = this.#read();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#drawn.on(listener);

  readonly getSnapshot = (): ClientSnapshot => this.#snapshot;

  /** Every call that the log knows, as a live object. */
  restore(): void {
    this.#handles.clear();
    for (const call of this.#server.log.state.calls.values()) {
      if (isToolCall(call)) this.#handles.set(call.id, this.#handleFor(call));
    }
  }

  calls(): readonly CallHandle[] {
    return listedCalls(this.#server.log.state, this.#options.keepCalls).flatMap(
      ({ id }) => this.find(id) ?? [],
    );
  }

  find(callId: string): CallHandle | undefined {
    return this.#handles.get(callId);
  }

  logged(callId: string): LoggedCall | undefined {
    return this.#server.log.state.calls.get(callId);
  }

  snapshotOf(call: LoggedCall): CallSnapshot {
    return snapshotOf(call, this.#server.lists.tools);
  }

  questions(): readonly Question[] {
    return [...this.#server.log.state.questions.values()].map(questionOf);
  }

  /** Whose lists and handshake these are; of the last page, until there is a new one. */
  server(): ServerInfo | undefined {
    const { session, log } = this.#server;
    if (!session) return undefined;
    const info = serverInfoOf(session, log.state);
    if (this.#info?.of !== session || this.#info.info.resumable !== info.resumable) {
      this.#info = { of: session, info };
    }
    return this.#info.info;
  }

  /** Takes note of what was appended to the log. */
  heed({ others }: EntryBatch): void {
    for (const entry of others) {
      if (entry.kind !== 'call') continue;
      if (entry.change.name === 'sending') this.#begin(entry.callId);
      else if (entry.change.name === 'forgotten') this.#handles.delete(entry.callId);
    }
    // A call may also be changed by a question, or by a message that names its task.
    for (const handle of this.#handles.values()) if (handle.look()) this.callChanged.emit(handle);
    this.changed();
  }

  /** Something that is drawn has changed: it is told with the next frame. */
  changed(): void {
    this.#frames.schedule(this.#draw);
  }

  close(): void {
    this.#stopWatching();
    for (const handle of this.#handles.values()) handle.close();
    this.#draw();
  }

  get #server(): ClientViewOptions['server']['handle'] {
    return this.#options.server.handle;
  }

  #handleFor(call: LoggedCall): CallHandle {
    return new CallHandle(this, this.#options.callCommands, call);
  }

  #begin(callId: string): void {
    const call = this.logged(callId);
    if (!call || !isToolCall(call) || this.#handles.has(callId)) return;
    const handle = this.#handleFor(call);
    this.#handles.set(callId, handle);
    this.callChanged.emit(handle);
  }

  readonly #draw = (): void => {
    const next = this.#read();
    if (isShallowEqual(next, this.#snapshot)) return;
    this.#snapshot = next;
    for (const handle of this.#handles.values()) handle.show();
    this.#drawn.emit(undefined);
  };

  #read(): ClientSnapshot {
    const before = this.#snapshot as ClientSnapshot | undefined;
    const { connection, store, keepCalls } = this.#options;
    const { log, lists } = this.#server;
    const calls = listedCalls(log.state, keepCalls).map((call) => this.snapshotOf(call));
    return Object.freeze({
      state: connection.state,
      server: this.server(),
      calls: sameIfEqual(calls, before?.calls),
      questions: sameIfEqual(this.questions(), before?.questions),
      tools: lists.tools,
      storage: storageStateOf(store.degraded),
    });
  }
}

function sameIfEqual<T>(next: readonly T[], before: readonly T[] = []): readonly T[] {
  const isEqual = next.length === before.length && next.every((item, i) => item === before[i]);
  return isEqual ? before : Object.freeze(next);
}

function isShallowEqual(a: ClientSnapshot, b: ClientSnapshot): boolean {
  return (Object.keys(a) as (keyof ClientSnapshot)[]).every((name) => a[name] === b[name]);
}
