/** The append-only log of one server: storage, view and waiting callers are siblings that listen to it. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Entry, EntryBody } from './entry/entry.ts';
import { carriesMessage } from './entry/entryKinds.ts';
import { foldAll, ServerReducer, type Folded } from './state/serverReducer.ts';
import type { ServerStateSnapshot } from './state/mutableServerState.ts';
import type { ServerState } from './state/serverState.ts';
import type { Transition } from './state/transition.ts';

/** How many of the newest entries stay in memory; older ones are read from storage when somebody asks. */
const TAIL_ENTRIES = 5000;

export interface Draft {
  readonly body: EntryBody;
  /** The parsed message, if the body has one: whoever recorded it has parsed it already. */
  readonly message?: JsonObject;
}

/** Takes the secrets out of what is about to be recorded. */
export type Redact = (body: EntryBody) => EntryBody;

export interface Restored {
  readonly state: ServerStateSnapshot;
  readonly tail: readonly Entry[];
}

export class Log {
  readonly server: string;
  readonly appended = new Emitter<readonly Entry[]>();
  /** What the entries that were just appended have changed. */
  readonly changed = new Emitter<readonly Transition[]>();
  readonly #state: ServerReducer;
  readonly #clock: Clock;
  readonly #redact: Redact;
  #tail: Entry[];

  constructor(server: string, clock: Clock, restored?: Restored, redact: Redact = (body) => body) {
    this.server = server;
    this.#clock = clock;
    this.#redact = redact;
    this.#state = new ServerReducer(server, restored?.state);
    this.#tail = [...(restored?.tail ?? [])];
  }

  /** The state, folded from the entries; only an entry changes it. */
  get state(): ServerState {
    return this.#state;
  }

  get tail(): readonly Entry[] {
    return this.#tail;
  }

  /** Starts the next page load: entries carry its number from here on. */
  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void {
    const body = { kind: 'load', reason, ...(pageLeftAt !== undefined && { pageLeftAt }) } as const;
    this.#appendAll([{ body }], this.#state.load + 1);
  }

  append(...drafts: readonly Draft[]): void {
    this.#appendAll(drafts, this.#state.load);
  }

  appendAll(drafts: readonly Draft[]): void {
    this.#appendAll(drafts, this.#state.load);
  }

  #appendAll(drafts: readonly Draft[], load: number): void {
    const at = this.#clock.now();
    const { nextSeq } = this.#state;
    const unfolded = drafts.map(({ body, message }, n) => ({
      entry: { seq: nextSeq + n, at, load, ...this.#redact(body) },
      message,
    }));
    this.#keep(foldAll(this.#state, unfolded));
  }

  /** Takes over entries that another tab has recorded and stored. What is known already is passed over. */
  adopt(entries: readonly Entry[]): void {
    const fresh = entries.filter((entry) => entry.seq >= this.#state.nextSeq);
    const { transitions } = foldStored(this.#state, fresh);
    this.#keep({ entries: fresh, transitions });
  }

  /** Gives a call of an earlier page load its result back; without one, it is not in the log any more. */
  attachResult(callId: string, message: JsonObject | undefined): void {
    if (message) this.#state.attachResult(callId, message);
    else this.#state.giveUpResult(callId);
  }

  #keep({ entries, transitions }: Folded): void {
    if (entries.length === 0) return;
    for (const entry of entries) this.#tail.push(entry);
    if (this.#tail.length > 2 * TAIL_ENTRIES) this.#tail = this.#tail.slice(-TAIL_ENTRIES);
    this.appended.emit(entries);
    if (transitions.length > 0) this.changed.emit(transitions);
  }
}

/** Folds entries that are stored already: they stay as they are, even where the reducer can't use them. */
export function foldStored(state: ServerReducer, entries: readonly Entry[]): Folded {
  return foldAll(
    state,
    entries.map((entry) => ({ entry, message: messageOf(entry) })),
  );
}

/** The JSON-RPC message of an entry, parsed; nothing where its text is no JSON object. */
export function messageOf(entry: Entry): JsonObject | undefined {
  if (!carriesMessage(entry)) return undefined;
  try {
    const message: unknown = JSON.parse(entry.raw);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
