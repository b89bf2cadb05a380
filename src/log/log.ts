/** The append-only log of one server: storage, view and waiting callers are siblings that listen to it. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { JsonObject } from '../base/json.ts';
import type { Draft, RunDraft } from './entry/draft.ts';
import type { Entry, EntryBody } from './entry/entry.ts';
import { EntryBatch } from './entry/entryBatch.ts';
import { runLength } from './entry/entryRun.ts';
import type { LogView } from './logView.ts';
import { foldStored } from './state/foldStored.ts';
import { isMoot } from './state/isMoot.ts';
import { foldAll, type Folded, type Unfolded } from './state/foldAll.ts';
import { ServerReducer } from './state/serverReducer.ts';
import type { MutableServerState, ServerStateSnapshot } from './state/mutableServerState.ts';
import type { ServerState } from './state/serverState.ts';
import type { Transition } from './state/transition.ts';
import { Tail } from './tail.ts';

/** Takes the secrets out of what is about to be recorded. */
export type Redact = (body: EntryBody) => EntryBody;

export interface Restored {
  readonly state: ServerStateSnapshot;
  readonly tail: readonly Entry[];
}

/** What a page has of a log, whoever records it. */
export interface LogMirror {
  readonly state: MutableServerState;
  readonly tail: Tail;
  readonly appended: Emitter<EntryBatch>;
  readonly changed: Emitter<readonly Transition[]>;
}

export class Log implements LogView {
  readonly server: string;
  readonly appended = new Emitter<EntryBatch>();
  /** What the entries that were just appended have changed. */
  readonly changed = new Emitter<readonly Transition[]>();
  /** Both at once, when everybody has heard of them. */
  readonly folded = new Emitter<Folded>();
  readonly #state: ServerReducer;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #redact: Redact;
  readonly #tail: Tail;

  constructor(
    server: string,
    clock: Pick<Clock, 'now'>,
    restored?: Restored,
    redact: Redact = (body) => body,
  ) {
    this.server = server;
    this.#clock = clock;
    this.#redact = redact;
    this.#state = new ServerReducer(server, restored?.state);
    this.#tail = new Tail(restored?.tail);
  }

  /** The state, folded from the entries; only an entry changes it. */
  get state(): ServerState {
    return this.#state;
  }

  get tail(): readonly Entry[] {
    return this.#tail.entries;
  }

  /** For another recorder to go on with: what this one has folded, and who listens. */
  get mirror(): LogMirror {
    return { state: this.#state, tail: this.#tail, appended: this.appended, changed: this.changed };
  }

  /** Starts the next page load: entries carry its number from here on. */
  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void {
    const body = { kind: 'load', reason, ...(pageLeftAt !== undefined && { pageLeftAt }) } as const;
    this.#appendAll([{ body }], this.#state.load + 1);
  }

  append(...drafts: readonly Draft[]): void {
    this.#appendAll(drafts, this.#state.load);
  }

  appendAll(drafts: readonly (Draft | RunDraft)[]): void {
    this.#appendAll(drafts, this.#state.load);
  }

  #appendAll(drafts: readonly (Draft | RunDraft)[], load: number): void {
    const at = this.#clock.now();
    const unfolded: Unfolded[] = [];
    let seq = this.#state.nextSeq;
    for (const draft of drafts) {
      if ('shapes' in draft) {
        const times = [at, runLength(draft)];
        unfolded.push({ run: { firstSeq: seq, load, times, ...draft } });
        seq += runLength(draft);
      } else if (!isMoot(draft.body, this.#state)) {
        unfolded.push({ entry: { seq, at, load, ...this.#redact(draft.body) }, message: draft.message });
        seq += 1;
      }
    }
    this.#keep(foldAll(this.#state, unfolded));
  }

  /** Takes over entries that another tab has recorded and stored. What is known already is passed over. */
  adopt(entries: readonly Entry[]): void {
    const fresh = entries.filter((entry) => entry.seq >= this.#state.nextSeq);
    const { transitions } = foldStored(this.#state, fresh);
    this.#keep({ packed: fresh, transitions });
  }

  /** Gives a call of an earlier page load its result back; without one, it is not in the log any more. */
  attachResult(callId: string, message: JsonObject | undefined): void {
    if (message) this.#state.attachResult(callId, message);
    else this.#state.giveUpResult(callId);
  }

  #keep({ packed, transitions }: Folded): void {
    if (packed.length === 0) return;
    this.#tail.add(packed);
    this.appended.emit(new EntryBatch(packed));
    if (transitions.length > 0) this.changed.emit(transitions);
    this.folded.emit({ packed, transitions });
  }
}
