/** The event store of one session, as the SDK's transport uses it: an event log of messages. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DEFAULT_LOG_LIMITS, EventLog, type EventLogLimits, type EventLogOptions } from './eventLog.ts';
import { silent, type LogSink } from './log.ts';
import { isResponse } from './messages.ts';

export interface EventStoreLimits extends EventLogLimits {
  /** Events of finished streams are forgotten after this long. */
  readonly maxAgeMs: number;
}

export const DEFAULT_LIMITS: EventStoreLimits = { ...DEFAULT_LOG_LIMITS, maxAgeMs: 60 * 60 * 1000 };

export interface MemoryEventStoreOptions extends EventLogOptions {
  readonly maxAgeMs?: number;
}

export class MemoryEventStore implements EventStore {
  readonly #events: EventLog<JSONRPCMessage>;
  readonly #log: LogSink;
  readonly #maxAgeMs: number;

  constructor({ maxAgeMs = DEFAULT_LIMITS.maxAgeMs, ...options }: MemoryEventStoreOptions = {}) {
    this.#events = new EventLog(options);
    this.#log = options.log ?? silent;
    this.#maxAgeMs = maxAgeMs;
  }

  get size(): { events: number; bytes: number } {
    return this.#events.size;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const bytes = JSON.stringify(message).length;
    this.#events.append(streamId, message, bytes, isResponse(message));
    return this.#events.lastId(streamId) ?? '';
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events.streamOf(eventId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = this.#events.streamOf(lastEventId);
    if (streamId === undefined) throw new Error(`No events are stored after the event ${lastEventId}`);
    // The place is looked up anew for each: what is stored meanwhile belongs to the replay, and the oldest may go.
    for (let last = lastEventId; ;) {
      const event = this.#events.next(last);
      if (event === undefined || event === 'last') return streamId;
      if (!isPriming(event.item)) await send(event.id, event.item);
      last = event.id;
    }
  }

  /** Forgets what is past its time; called by the reaper, because a quiet store has no other moment. */
  prune(): void {
    const expired = this.#events.prune(this.#maxAgeMs);
    if (expired > 0) this.#log({ event: 'event_store.expired', events: expired });
  }

  clear(): void {
    this.#events.clear();
  }
}

/** A priming event has an id and no message (2025-11-25, "Sending Messages to the Server", 6): nothing to replay. */
function isPriming(message: JSONRPCMessage): boolean {
  return !('jsonrpc' in message);
}
