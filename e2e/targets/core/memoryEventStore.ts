/** The event store of one session: everything that was sent, for as long as somebody may come back for it. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { silent, type LogSink } from './log.ts';
import { isResponse, STANDALONE_STREAM_ID } from './messages.ts';

export interface EventStoreLimits {
  /** Events kept at most. The default holds a call with 50,000 notifications several times over. */
  readonly maxEvents: number;
  /** Bytes of JSON kept at most. The default holds a 50 MB result several times over. */
  readonly maxBytes: number;
  /** Events of finished streams are forgotten after this long. */
  readonly maxAgeMs: number;
}

export const DEFAULT_LIMITS: EventStoreLimits = {
  maxEvents: 250_000,
  maxBytes: 256 * 1024 * 1024,
  maxAgeMs: 60 * 60 * 1000,
};

const WARN_AT = 0.8;
const EVICTED_SHARE = 0.1;

interface StoredEvent {
  readonly stream: StoredStream;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
  readonly at: number;
}

interface StoredStream {
  readonly id: string;
  /** A random name that only this store knows, so that another session's event id never fits by accident. */
  readonly token: string;
  /** The number of the first event that is still kept; the rest follow without gaps. */
  first: number;
  events: StoredEvent[];
  /** Belongs to a call that is still running: what it has sent goes last. */
  running: boolean;
}

export interface MemoryEventStoreOptions extends Partial<EventStoreLimits> {
  readonly log?: LogSink;
  readonly now?: () => number;
}

/**
 * An event id is `<token>.<number>`: the token names the stream, the number its place in it. Neither is taken from the
 * stream's own id, so nothing in a stream id can confuse the reading of an event id.
 *
 * At a limit the oldest tenth goes, finished streams first. What a running call has sent goes only when nothing else
 * is left, because its client may be on the way back.
 */
export class MemoryEventStore implements EventStore {
  readonly #limits: EventStoreLimits;
  readonly #log: LogSink;
  readonly #now: () => number;
  readonly #byId = new Map<string, StoredStream>();
  readonly #byToken = new Map<string, StoredStream>();
  #order: StoredEvent[] = [];
  #bytes = 0;
  #warned = false;

  constructor({ log = silent, now = Date.now, ...limits }: MemoryEventStoreOptions = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#log = log;
    this.#now = now;
  }

  get size(): { events: number; bytes: number } {
    return { events: this.#order.length, bytes: this.#bytes };
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const stream = this.#byId.get(streamId) ?? this.#addStream(streamId);
    const event: StoredEvent = {
      stream,
      message,
      bytes: JSON.stringify(message).length,
      at: this.#now(),
    };
    stream.events.push(event);
    stream.running = streamId !== STANDALONE_STREAM_ID && !isResponse(message);
    this.#order.push(event);
    this.#bytes += event.bytes;
    const eventId = `${stream.token}.${stream.first + stream.events.length - 1}`;
    this.#keepWithinLimits();
    return eventId;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#find(eventId)?.stream.id;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const found = this.#find(lastEventId);
    if (!found) throw new Error(`Nothing is kept after the event ${lastEventId}`);
    const { stream, index } = found;
    // The place is looked up anew for each: what is stored meanwhile belongs to the replay, and the oldest may go.
    for (let next = stream.first + index + 1; next < stream.first + stream.events.length; next += 1) {
      const event = stream.events[next - stream.first];
      if (event && !isPriming(event.message)) await send(`${stream.token}.${next}`, event.message);
    }
    return stream.id;
  }

  /** Forgets what is past its time; called by the reaper, because a quiet store has no other moment. */
  prune(): void {
    const oldest = this.#now() - this.#limits.maxAgeMs;
    const expired = this.#remove((event) => event.at < oldest && !isNeeded(event));
    if (expired > 0) this.#log({ event: 'event_store.expired', events: expired });
  }

  clear(): void {
    this.#byId.clear();
    this.#byToken.clear();
    this.#order = [];
    this.#bytes = 0;
  }

  #addStream(id: string): StoredStream {
    const token = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    const stream: StoredStream = { id, token, first: 1, events: [], running: true };
    this.#byId.set(id, stream);
    this.#byToken.set(token, stream);
    return stream;
  }

  /** An id is known while every event after it is kept: a replay with a hole would be a lie. */
  #find(eventId: string): { stream: StoredStream; index: number } | undefined {
    const [, token = '', digits = ''] = /^([0-9a-f]{16})\.([1-9]\d{0,14})$/.exec(eventId) ?? [];
    const stream = this.#byToken.get(token);
    if (!stream) return undefined;
    const index = Number(digits) - stream.first;
    return index >= -1 && index < stream.events.length ? { stream, index } : undefined;
  }

  #keepWithinLimits(): void {
    const { maxEvents, maxBytes } = this.#limits;
    const used = Math.max(this.#order.length / maxEvents, this.#bytes / maxBytes);
    if (used >= WARN_AT && !this.#warned) {
      this.#warned = true;
      this.#log({ event: 'event_store.near_limit', ...this.size });
    }
    if (used <= 1) return;
    const target = {
      events: Math.floor(maxEvents * (1 - EVICTED_SHARE)),
      bytes: Math.floor(maxBytes * (1 - EVICTED_SHARE)),
    };
    const isOver = () => this.#order.length - removed > target.events || this.#bytes > target.bytes;
    let removed = 0;
    const newest = this.#order.at(-1);
    const evict = (mayGo: (event: StoredEvent) => boolean) => {
      removed = 0;
      return this.#remove((event) => {
        if (event === newest || !isOver() || !mayGo(event)) return false;
        removed += 1;
        return true;
      });
    };
    const finished = evict((event) => !isNeeded(event));
    removed = 0;
    const needed = isOver() ? evict(() => true) : 0;
    this.#warned = false;
    this.#log({
      event: 'event_store.evicted',
      events: finished + needed,
      ofRunningCalls: needed,
    });
  }

  /** Drops the events that `mayGo` picks. Each stream loses from its front only: its order is the global order. */
  #remove(mayGo: (event: StoredEvent) => boolean): number {
    const gone = new Map<StoredStream, number>();
    const kept: StoredEvent[] = [];
    for (const event of this.#order) {
      if (mayGo(event)) {
        gone.set(event.stream, (gone.get(event.stream) ?? 0) + 1);
        this.#bytes -= event.bytes;
      } else kept.push(event);
    }
    const before = this.#order.length;
    this.#order = kept;
    for (const [stream, count] of gone) {
      stream.events = stream.events.slice(count);
      stream.first += count;
      if (stream.events.length === 0 && !stream.running && stream.id !== STANDALONE_STREAM_ID) {
        this.#byId.delete(stream.id);
        this.#byToken.delete(stream.token);
      }
    }
    return before - kept.length;
  }
}

/** A priming event has an id and no message (2025-11-25, "Sending Messages to the Server", 6): nothing to replay. */
function isPriming(message: JSONRPCMessage): boolean {
  return !('jsonrpc' in message);
}

function isNeeded(event: StoredEvent): boolean {
  return event.stream.running;
}
