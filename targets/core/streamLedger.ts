/** Watches one session's event store: which transport a stream belongs to, and which event is its last. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isResponse, STANDALONE_STREAM_ID } from './messages.ts';
import type { HttpTransport } from './sessionTransport.ts';

/** An event store of one session. */
export interface SessionEventStore extends EventStore {
  /** Forgets everything: the session has ended. */
  clear?(): void | Promise<void>;
}

export class StreamLedger {
  readonly store: SessionEventStore;
  readonly #lastEvents = new Map<string, string>();
  readonly #owners = new Map<string, HttpTransport>();
  readonly #changes = new Map<string, { readonly happened: Promise<void>; readonly tell: () => void }>();

  /** Events that are on their way into the store. */
  #storing = 0;
  #isClosed = false;
  #whenStored: () => void = () => undefined;

  constructor(store: SessionEventStore) {
    this.store = store;
  }

  /** The store as one transport sees it. `transport` is a function because a transport is made with its store. */
  storeFor(transport: () => HttpTransport): EventStore {
    const { store } = this;
    const getStreamIdForEventId = store.getStreamIdForEventId?.bind(store);
    return {
      storeEvent: async (streamId: string, message: JSONRPCMessage) => {
        if (this.#isClosed) throw new Error('The session has ended');
        if (streamId !== STANDALONE_STREAM_ID) this.#owners.set(streamId, transport());
        const eventId = await this.#store(streamId, message);
        if (isResponse(message)) this.#settle(streamId, eventId);
        this.wake(streamId);
        return eventId;
      },
      ...(getStreamIdForEventId && { getStreamIdForEventId }),
      replayEventsAfter: (eventId, sender) => store.replayEventsAfter(eventId, sender),
    };
  }

  /** Forgets all events. Those that are being stored are awaited, or they would be left behind. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#storing > 0) await new Promise<void>((resolve) => (this.#whenStored = resolve));
    await this.store.clear?.();
  }

  /** Forgets streams that the store has forgotten. */
  async prune(): Promise<void> {
    for (const [streamId, eventId] of this.#lastEvents) {
      const isKept = (await this.store.getStreamIdForEventId?.(eventId)) === streamId;
      if (!isKept) this.#lastEvents.delete(streamId);
    }
  }

  async streamOf(eventId: string): Promise<string | undefined> {
    return this.store.getStreamIdForEventId?.(eventId);
  }

  /** Whether this event is the response that ends the stream. */
  isLast(streamId: string, eventId: string | undefined): boolean {
    return eventId !== undefined && this.#lastEvents.get(streamId) === eventId;
  }

  /** The transport that the running request of this stream came in by; every other stream belongs to the newest one. */
  ownerOf(streamId: string): HttpTransport | undefined {
    return this.#owners.get(streamId);
  }

  /** Resolves when the next event of this stream is stored, or when somebody is to look at it for another reason. */
  nextChange(streamId: string): Promise<void> {
    const awaited = this.#changes.get(streamId);
    if (awaited) return awaited.happened;
    let tell: () => void = () => undefined;
    const happened = new Promise<void>((resolve) => (tell = resolve));
    this.#changes.set(streamId, { happened, tell });
    return happened;
  }

  /** Resolves what `nextChange` has promised. */
  wake(streamId: string): void {
    this.#changes.get(streamId)?.tell();
    this.#changes.delete(streamId);
  }

  async #store(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#storing += 1;
    try {
      return await this.store.storeEvent(streamId, message);
    } finally {
      this.#storing -= 1;
      if (this.#storing === 0) this.#whenStored();
    }
  }

  /** Whoever comes back to a finished stream only needs the store. */
  #settle(streamId: string, eventId: string): void {
    this.#lastEvents.set(streamId, eventId);
    this.#owners.delete(streamId);
  }
}
