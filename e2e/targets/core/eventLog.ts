/** The events of one session, in memory and within limits: everything that was sent, for a client that resumes. */
import { silent, type LogSink } from './log.ts';
import { STANDALONE_STREAM_ID } from './messages.ts';

export interface EventLogLimits {
  /** Events kept at most. The default holds a call with 50,000 notifications several times over. */
  readonly maxEvents: number;
  /** Bytes of JSON kept at most. The default holds a 50 MB result several times over. */
  readonly maxBytes: number;
}

export const DEFAULT_LOG_LIMITS: EventLogLimits = { maxEvents: 250_000, maxBytes: 256 * 1024 * 1024 };

const WARN_AT = 0.8;
const EVICTED_SHARE = 0.1;

interface LoggedEvent<T> {
  readonly stream: LoggedStream<T>;
  readonly item: T;
  readonly bytes: number;
  readonly at: number;
}

interface LoggedStream<T> {
  readonly id: string;
  /** A random name that only this log knows, so that another session's event id never fits by accident. */
  readonly token: string;
  /** The number of the first event that is still kept; the rest follow without gaps. */
  first: number;
  events: LoggedEvent<T>[];
  /** Belongs to a call that is still running: what it has sent goes last. */
  running: boolean;
}

export interface EventLogOptions extends Partial<EventLogLimits> {
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
export class EventLog<T> {
  readonly limits: EventLogLimits;
  readonly #log: LogSink;
  readonly #now: () => number;
  readonly #byId = new Map<string, LoggedStream<T>>();
  readonly #byToken = new Map<string, LoggedStream<T>>();
  #order: LoggedEvent<T>[] = [];
  #bytes = 0;
  #warned = false;

  constructor({ log = silent, now = Date.now, ...limits }: EventLogOptions = {}) {
    this.limits = { ...DEFAULT_LOG_LIMITS, ...limits };
    this.#log = log;
    this.#now = now;
  }

  get size(): { events: number; bytes: number } {
    return { events: this.#order.length, bytes: this.#bytes };
  }

  /** Returns the event id. `ends`: nothing else is expected in this stream. */
  append(streamId: string, item: T, { bytes, ends }: { bytes: number; ends: boolean }): string {
    const stream = this.#byId.get(streamId) ?? this.#addStream(streamId);
    const event: LoggedEvent<T> = { stream, item, bytes, at: this.#now() };
    stream.events.push(event);
    stream.running = streamId !== STANDALONE_STREAM_ID && !ends;
    this.#order.push(event);
    this.#bytes += event.bytes;
    const eventId = `${stream.token}.${stream.first + stream.events.length - 1}`;
    this.#keepWithinLimits();
    return eventId;
  }

  streamOf(eventId: string): string | undefined {
    return this.#find(eventId)?.stream.id;
  }

  /** The event after this one: `'last'` if there is none yet, `undefined` if the id isn't known, or its successor is gone. */
  next(eventId: string): { readonly id: string; readonly item: T } | 'last' | undefined {
    const found = this.#find(eventId);
    if (!found) return undefined;
    const { stream, index } = found;
    const event = stream.events[index + 1];
    return event ? { id: `${stream.token}.${stream.first + index + 1}`, item: event.item } : 'last';
  }

  /** Up to `max` events after this one, as `read` makes them; `undefined` if the id isn't known, or what follows was removed. */
  after<R>(eventId: string, max: number, read: (id: string, item: T) => R): readonly R[] | undefined {
    const found = this.#find(eventId);
    if (!found) return undefined;
    const { stream } = found;
    const start = found.index + 1;
    return stream.events
      .slice(start, start + max)
      .map(({ item }, at) => read(`${stream.token}.${stream.first + start + at}`, item));
  }

  /** Forgets events of finished streams that are older than this; returns how many. */
  prune(maxAgeMs: number): number {
    const oldest = this.#now() - maxAgeMs;
    return this.#remove((event) => event.at < oldest && !isNeeded(event));
  }

  clear(): void {
    this.#byId.clear();
    this.#byToken.clear();
    this.#order = [];
    this.#bytes = 0;
  }

  #addStream(id: string): LoggedStream<T> {
    const token = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    const stream: LoggedStream<T> = { id, token, first: 1, events: [], running: true };
    this.#byId.set(id, stream);
    this.#byToken.set(token, stream);
    return stream;
  }

  /** An id is known while every event after it is kept: a replay with a hole would be a lie. */
  #find(eventId: string): { stream: LoggedStream<T>; index: number } | undefined {
    const [, token = '', digits = ''] = /^([0-9a-f]{16})\.([1-9]\d{0,14})$/.exec(eventId) ?? [];
    const stream = this.#byToken.get(token);
    if (!stream) return undefined;
    const index = Number(digits) - stream.first;
    return index >= -1 && index < stream.events.length ? { stream, index } : undefined;
  }

  #keepWithinLimits(): void {
    const { maxEvents, maxBytes } = this.limits;
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
    const evict = (mayGo: (event: LoggedEvent<T>) => boolean) => {
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
  #remove(mayGo: (event: LoggedEvent<T>) => boolean): number {
    const gone = new Map<LoggedStream<T>, number>();
    const kept: LoggedEvent<T>[] = [];
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

function isNeeded(event: LoggedEvent<unknown>): boolean {
  return event.stream.running;
}
