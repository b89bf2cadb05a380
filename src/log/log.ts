/** The append-only log of one server: storage, view and waiting callers are siblings that listen to it. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Entry, EntryBody } from './entry.ts';
import { carriesMessage } from './entryKinds.ts';
import { foldAll } from './fold.ts';
import { Head, type HeadSnapshot } from './head.ts';

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
  readonly head: HeadSnapshot;
  readonly tail: readonly Entry[];
}

export class Log {
  readonly server: string;
  readonly appended = new Emitter<readonly Entry[]>();
  readonly head: Head;
  readonly #clock: Clock;
  readonly #redact: Redact;
  #tail: Entry[];

  constructor(server: string, clock: Clock, restored?: Restored, redact: Redact = (body) => body) {
    this.server = server;
    this.#clock = clock;
    this.#redact = redact;
    this.head = new Head(server, restored?.head);
    this.#tail = [...(restored?.tail ?? [])];
  }

  get tail(): readonly Entry[] {
    return this.#tail;
  }

  /** Starts the next page load: entries carry its number from here on. */
  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void {
    this.head.load += 1;
    this.append({ body: { kind: 'load', reason, ...(pageLeftAt !== undefined && { pageLeftAt }) } });
  }

  append(...drafts: readonly Draft[]): readonly Entry[] {
    return this.appendAll(drafts);
  }

  appendAll(drafts: readonly Draft[]): readonly Entry[] {
    const at = this.#clock.now();
    const { nextSeq, load } = this.head;
    const unfolded = drafts.map(({ body, message }, n) => ({
      entry: { seq: nextSeq + n, at, load, ...this.#redact(body) },
      message,
    }));
    const entries = foldAll(this.head, unfolded);
    this.#keep(entries);
    return entries;
  }

  /** Takes over entries that another tab has recorded and stored. What is known already is passed over. */
  adopt(entries: readonly Entry[]): void {
    const fresh = entries.filter((entry) => entry.seq >= this.head.nextSeq);
    foldStored(this.head, fresh);
    this.#keep(fresh);
  }

  #keep(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    for (const entry of entries) this.#tail.push(entry);
    if (this.#tail.length > 2 * TAIL_ENTRIES) this.#tail = this.#tail.slice(-TAIL_ENTRIES);
    this.appended.emit(entries);
  }
}

/** Folds entries that are stored already: they stay as they are, even where the head can't use them. */
export function foldStored(head: Head, entries: readonly Entry[]): void {
  foldAll(
    head,
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
