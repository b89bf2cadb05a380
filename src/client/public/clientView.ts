/** What an app draws: a frozen snapshot that changes at most once per frame, and the calls as live objects. */
import { Emitter } from '../../base/emitter.ts';
import { FrameBatcher, type FrameClock } from '../../base/frameBatcher.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { isToolCall } from '../../log/state/call.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { CallHandle, type CallHost } from './callHandle.ts';
import type { ClientSnapshot } from './clientTypes.ts';
import type { Question } from './questionTypes.ts';
import { listedCalls, questionOf, serverInfoOf, snapshotOf } from './snapshots.ts';
import type { ConnectionState, ServerInfo, StorageState } from './stateTypes.ts';

export interface ClientViewOptions {
  readonly tab: () => Pick<ServerHandle, 'log' | 'lists' | 'session'>;
  readonly state: () => ConnectionState;
  readonly storage: () => StorageState;
  readonly keepCalls: number;
  readonly frames: FrameClock;
  readonly host: Omit<CallHost, 'find' | 'snapshotOf' | 'subscribe'>;
}

export class ClientView {
  /** A call began, changed its state or ended. */
  readonly callChanged = new Emitter<CallHandle>();
  readonly #options: ClientViewOptions;
  readonly #drawn = new Emitter<undefined>();
  readonly #frames: FrameBatcher;
  readonly #handles = new Map<string, CallHandle>();
  readonly #host: CallHost;
  #server: { readonly of: object; readonly info: ServerInfo } | undefined;
  #snapshot: ClientSnapshot;

  constructor(options: ClientViewOptions) {
    this.#options = options;
    this.#frames = new FrameBatcher(options.frames);
    this.#host = {
      ...options.host,
      find: (callId) => options.tab().log.head.calls.get(callId),
      snapshotOf: (call) => snapshotOf(call, options.tab().lists.tools),
      subscribe: (listener) => this.subscribe(listener),
    };
    this.restore();
    this.#snapshot = this.#read();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#drawn.on(listener);

  readonly getSnapshot = (): ClientSnapshot => this.#snapshot;

  /** Every call that the log knows, as a live object. */
  restore(): void {
    this.#handles.clear();
    for (const call of this.#options.tab().log.head.calls.values()) {
      if (isToolCall(call)) this.#handles.set(call.id, new CallHandle(this.#host, call));
    }
  }

  calls(): readonly CallHandle[] {
    return listedCalls(this.#options.tab().log.head, this.#options.keepCalls).flatMap(
      ({ id }) => this.find(id) ?? [],
    );
  }

  find(callId: string): CallHandle | undefined {
    return this.#handles.get(callId);
  }

  questions(): readonly Question[] {
    return [...this.#options.tab().log.head.questions.values()].map(questionOf);
  }

  /** Whose lists and handshake these are; of the last page, until there is a new one. */
  server(): ServerInfo | undefined {
    const { session, log } = this.#options.tab();
    if (!session) return undefined;
    const info = serverInfoOf(session, log.head);
    if (this.#server?.of !== session || this.#server.info.resumable !== info.resumable) {
      this.#server = { of: session, info };
    }
    return this.#server.info;
  }

  /** Takes note of what was appended to the log. */
  heed(entries: readonly Entry[]): void {
    for (const entry of entries) {
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
    for (const handle of this.#handles.values()) handle.close();
    this.#draw();
  }

  #begin(callId: string): void {
    const call = this.#host.find(callId);
    if (!call || !isToolCall(call) || this.#handles.has(callId)) return;
    const handle = new CallHandle(this.#host, call);
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
    const { tab, state, storage, keepCalls } = this.#options;
    const { log, lists } = tab();
    return Object.freeze({
      state: state(),
      server: this.server(),
      calls: sameIfEqual(listedCalls(log.head, keepCalls).map(this.#host.snapshotOf), before?.calls),
      questions: sameIfEqual(this.questions(), before?.questions),
      tools: lists.tools,
      storage: storage(),
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
