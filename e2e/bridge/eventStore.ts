/** Where a bridge keeps the events of a session, as text: a message passes as the server wrote it. */
import { EventLog, type EventLogOptions } from '../targets/core/eventLog.ts';

export interface StoredEvent {
  readonly id: string;
  /** A message in one line; empty for an event that has an ID only. */
  readonly text: string;
  /** The stream ends with it. */
  readonly isLast: boolean;
}

export interface BridgeEventStore {
  /** Returns the event ID. The order of the calls is the order of the events. */
  append(streamId: string, text: string, isLast: boolean): Promise<string>;
  streamOf(eventId: string): Promise<string | undefined>;
  /** Up to `max` events that follow; `undefined` if the ID isn't known, or what follows was removed. */
  readAfter(eventId: string, max: number): Promise<readonly StoredEvent[] | undefined>;
  /** Calls the listener when the stream has a new event. Returns its undo. */
  watch(streamId: string, listener: () => void): () => void;
  size(): { readonly events: number; readonly bytes: number };
  /** Forgets everything: the session has ended. */
  clear(): Promise<void>;
}

export class MemoryStore implements BridgeEventStore {
  readonly #events: EventLog<Omit<StoredEvent, 'id'>>;
  readonly #watchers = new Watchers();

  constructor(options: EventLogOptions) {
    this.#events = new EventLog(options);
  }

  async append(streamId: string, text: string, isLast: boolean): Promise<string> {
    const id = this.#events.append(streamId, { text, isLast }, { bytes: text.length, ends: isLast });
    this.#watchers.wake(streamId);
    return id;
  }

  async streamOf(eventId: string): Promise<string | undefined> {
    return this.#events.streamOf(eventId);
  }

  async readAfter(eventId: string, max: number): Promise<readonly StoredEvent[] | undefined> {
    return this.#events.after(eventId, max, (id, { text, isLast }) => ({ id, text, isLast }));
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
