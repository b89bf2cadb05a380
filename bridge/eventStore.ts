/** Where a bridge keeps the events of a session, as text: a message passes as the server wrote it. */
import { EventLog, type EventLogOptions, type PageLimits } from '../targets/core/eventLog.ts';

export interface StoredEvent {
  readonly id: string;
  /** A message in one line; empty for an event that has an ID only. */
  readonly text: string;
  /** The stream ends with it. */
  readonly isLast: boolean;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** More is stored already. */
  readonly hasMore: boolean;
}

export interface BridgeEventStore {
  /** Adds an event without a message, and returns its ID: a reader of the stream begins there. */
  mark(streamId: string): Promise<string>;
  /** The order of the calls is the order of the events. A promise only if it takes time: a burst has 50,000 of them. */
  append(streamId: string, text: string, isLast: boolean): Promise<void> | undefined;
  streamOf(eventId: string): Promise<string | undefined>;
  /** The events that follow; `undefined` if the ID isn't known, or what follows was removed. */
  readAfter(eventId: string, limits: PageLimits): Promise<EventPage | undefined>;
  /** Calls the listener when the stream has a new event. Returns its undo. */
  watch(streamId: string, listener: () => void): () => void;
  size(): { readonly events: number; readonly bytes: number };
  /** Forgets everything: the session has ended. */
  clear(): Promise<void>;
}

export class MemoryStore implements BridgeEventStore {
  readonly #events: EventLog<string>;
  readonly #watchers = new Watchers();

  constructor(options: EventLogOptions) {
    this.#events = new EventLog(options);
  }

  async mark(streamId: string): Promise<string> {
    this.append(streamId, '', false);
    return this.#events.lastId(streamId) ?? '';
  }

  append(streamId: string, text: string, isLast: boolean): undefined {
    this.#events.append(streamId, text, text.length, isLast);
    this.#watchers.wake(streamId);
  }

  async streamOf(eventId: string): Promise<string | undefined> {
    return this.#events.streamOf(eventId);
  }

  async readAfter(eventId: string, limits: PageLimits): Promise<EventPage | undefined> {
    const found = this.#events.after(eventId, limits, asStored);
    return found && { events: found.page, hasMore: found.hasMore };
  }

  watch(streamId: string, listener: () => void): () => void {
    return this.#watchers.add(streamId, listener);
  }

  size(): { events: number; bytes: number } {
    return this.#events.size;
  }

  async clear(): Promise<void> {
    this.#events.clear();
  }
}

const asStored = (id: string, text: string, isLast: boolean): StoredEvent => ({ id, text, isLast });

/** Listeners by key. */
export class Watchers {
  readonly #listeners = new Map<string, Set<() => void>>();

  add(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  wake(key: string): void {
    this.#listeners.get(key)?.forEach((listener) => listener());
  }
}
