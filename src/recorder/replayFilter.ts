/** Which events were recorded already: real servers replay more than they were asked for. */
import { EventIdMap, type EventIds } from './eventIdMap.ts';
import { fingerprint } from './fingerprint.ts';

/** The standalone stream lives as long as its session; of ids that aren't counted, older ones are not remembered. */
const REMEMBERED_PER_STREAM = 100_000;
/** The value of an id that only has to be known. */
const SEEN = 1;

export interface SeenEvent {
  readonly stream: string;
  readonly eventId: string;
  /** The event as it is stored: what is read back after a reload must look the same. */
  readonly text: string;
  /** Did it come on a connection that a GET opened? */
  readonly listens: boolean;
}

/** `elsewhere`: on another stream, by a server that replays foreign ones. */
export type Known = 'new' | 'here' | 'elsewhere';

/** What a filter knows, as it can be posted to another thread. */
export interface SeenEvents {
  readonly byStream: ReadonlyMap<string, EventIds>;
  readonly prints: EventIds;
  readonly broughtByGet: EventIds;
  readonly idsAreGlobal: boolean;
  readonly mixesStreams: boolean;
  readonly ownMethods: ReadonlyMap<string, Set<string>>;
}

export class ReplayFilter {
  #byStream = new Map<string, EventIdMap>();
  /** What each id stood for when it first came. */
  #prints = new EventIdMap();
  /** Ids that a GET brought first, on a stream that may not have been their own. */
  #broughtByGet = new EventIdMap();
  /** Servers that number each stream from 1 break the standard's uniqueness, and must lose nothing for it. */
  #idsAreGlobal = true;
  #mixesStreams = false;
  #ownMethods = new Map<string, Set<string>>();

  /** Has a GET brought events of another stream than its own? */
  get mixesStreams(): boolean {
    return this.#mixesStreams;
  }

  /** A notification on the stream of its own POST, where nothing of another stream comes. */
  noteOwn(stream: string, method: string): void {
    const methods = this.#ownMethods.get(stream);
    if (methods) methods.add(method);
    else this.#ownMethods.set(stream, new Set([method]));
  }

  hasOwn(stream: string, method: string): boolean {
    return this.#ownMethods.get(stream)?.has(method) === true;
  }

  /** An event that an earlier page dropped: if it was known from another stream, the server mixes them. */
  noteDuplicate(stream: string, eventId: string): void {
    for (const [other, ids] of this.#byStream)
      this.#mixesStreams ||= other !== stream && ids.get(eventId) !== undefined;
  }

  /** Was this event delivered before? From now on it was. Asked for every event of a burst: each look-up counts. */
  note(event: SeenEvent): Known {
    let ids = this.#byStream.get(event.stream);
    if (!ids) this.#byStream.set(event.stream, (ids = new EventIdMap()));
    if (ids.add(event.eventId, SEEN) !== undefined) return 'here';
    for (const oldest of ids.trim(REMEMBERED_PER_STREAM)) {
      this.#prints.delete(oldest);
      this.#broughtByGet.delete(oldest);
    }
    // An event without data only names a position.
    return this.#idsAreGlobal && event.text !== '' ? this.#compare(event) : 'new';
  }

  get events(): SeenEvents {
    return {
      byStream: new Map([...this.#byStream].map(([stream, { ids }]) => [stream, ids])),
      prints: this.#prints.ids,
      broughtByGet: this.#broughtByGet.ids,
      idsAreGlobal: this.#idsAreGlobal,
      mixesStreams: this.#mixesStreams,
      ownMethods: this.#ownMethods,
    };
  }

  /** Goes on with what another filter knew, which is used no more. */
  takeOver(events: SeenEvents): void {
    this.#byStream = new Map([...events.byStream].map(([stream, ids]) => [stream, new EventIdMap(ids)]));
    this.#prints = new EventIdMap(events.prints);
    this.#broughtByGet = new EventIdMap(events.broughtByGet);
    this.#idsAreGlobal = events.idsAreGlobal;
    this.#mixesStreams = events.mixesStreams;
    this.#ownMethods = new Map(events.ownMethods);
  }

  clear(): void {
    this.#byStream.clear();
    this.#forgetPrints();
    this.#ownMethods.clear();
    this.#idsAreGlobal = true;
    this.#mixesStreams = false;
  }

  #compare({ eventId, text, listens }: SeenEvent): Known {
    const print = fingerprint(text);
    const known = this.#prints.add(eventId, print);
    if (known === undefined) {
      if (listens) this.#broughtByGet.add(eventId, SEEN);
      return 'new';
    }
    if (known !== print) {
      // One id with two contents: ids are unique only within a stream here. A replayed event has its own content again.
      this.#idsAreGlobal = false;
      this.#mixesStreams = false;
      this.#forgetPrints();
      return 'new';
    }
    // On its own first connection an event is new, unless a GET for another stream was faster with it.
    if (!listens && this.#broughtByGet.get(eventId) === undefined) return 'new';
    this.#mixesStreams = true;
    return 'elsewhere';
  }

  #forgetPrints(): void {
    this.#prints.clear();
    this.#broughtByGet.clear();
  }
}
