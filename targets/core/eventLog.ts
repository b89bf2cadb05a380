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
  /** The stream ends with it. */
  readonly ends: boolean;
  /** In milliseconds since the log began: a small integer needs no memory of its own. */
  readonly at: number;
}

/** One event as `after` reads it. */
export type ReadLogged<T, R> = (id: string, item: T, ends: boolean) => R;

/** What is read in one go: at most so many events, and none after so many bytes. */
export interface PageLimits {
  readonly events: number;
  readonly bytes: number;
}

interface LoggedStream<T> {
  readonly id: string;
  /** Names the stream in event ids. */
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
 * stream's own id, so nothing in a stream id can confuse the reading of an event id. Ids are short, because every event
 * of a burst carries one, and engines keep a text of up to 12 characters without the message that it was cut from.
 *
 * At a limit the oldest tenth goes, finished streams first. What a running call has sent goes only when nothing else
 * is left, because its client may be on the way back.
 */
export class EventLog<T> {
  readonly limits: EventLogLimits;
  readonly #log: LogSink;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #byId = new Map<string, LoggedStream<T>>();
  readonly #byToken = new Map<string, LoggedStream<T>>();
  /** Random, so that another session's event id never fits by accident. */
  readonly #token = Number.parseInt(crypto.randomUUID().slice(0, 6), 16).toString(36);
  #streams = 0;
  #order: LoggedEvent<T>[] = [];
  #bytes = 0;
  #warned = false;

  constructor({ log = silent, now = Date.now, ...limits }: EventLogOptions = {}) {
    this.limits = { ...DEFAULT_LOG_LIMITS, ...limits };
    this.#log = log;
    this.#now = now;
    this.#startedAt = now();
  }

  get size(): { events: number; bytes: number } {
    return { events: this.#order.length, bytes: this.#bytes };
  }

  /** `ends`: nothing else is expected in this stream. */
  append(streamId: string, item: T, bytes: number, ends: boolean): void {
    const stream = this.#byId.get(streamId) ?? this.#addStream(streamId);
    const event: LoggedEvent<T> = { stream, item, bytes, ends, at: this.#now() - this.#startedAt };
    stream.events.push(event);
    stream.running = streamId !== STANDALONE_STREAM_ID && !ends;
    this.#order.push(event);
    this.#bytes += bytes;
    this.#keepWithinLimits();
  }

  /** The id of the newest event of a stream. */
  lastId(streamId: string): string | undefined {
    const stream = this.#byId.get(streamId);
    return stream && `${stream.token}.${stream.first + stream.events.length - 1}`;
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

  /** The events after this one; `undefined` if the id isn't known, or what follows was removed. */
  after<R>(
    eventId: string,
    limits: PageLimits,
    read: ReadLogged<T, R>,
  ): { readonly page: readonly R[]; readonly hasMore: boolean } | undefined {
    const found = this.#find(eventId);
    if (!found) return undefined;
    const { events, first, token } = found.stream;
    const page: R[] = [];
    let bytes = 0;
    let at = found.index + 1;
    for (; at < events.length && page.length < limits.events && bytes < limits.bytes; at += 1) {
      const event = events[at] as LoggedEvent<T>;
      page.push(read(`${token}.${first + at}`, event.item, event.ends));
      bytes += event.bytes;
    }
    return { page, hasMore: at < events.length };
  }

  /** Forgets events of finished streams that are older than this; returns how many. */
  prune(maxAgeMs: number): number {
    const oldest = this.#now() - this.#startedAt - maxAgeMs;
    return this.#remove((event) => event.at < oldest && !isNeeded(event));
  }

  clear(): void {
    this.#byId.clear();
    this.#byToken.clear();
    this.#order = [];
    this.#bytes = 0;
  }

  #addStream(id: string): LoggedStream<T> {
    const token = `${this.#token}${(this.#streams += 1).toString(36)}`;
    const stream: LoggedStream<T> = { id, token, first: 1, events: [], running: true };
    this.#byId.set(id, stream);
    this.#byToken.set(token, stream);
    return stream;
  }

  /** An id is known while every event after it is kept: a replay with a hole would be a lie. */
  #find(eventId: string): { stream: LoggedStream<T>; index: number } | undefined {
    const [, token = '', digits = ''] = /^(\w+)\.([1-9]\d{0,14})$/.exec(eventId) ?? [];
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
    const isOver = (removed: number) =>
      this.#order.length - removed > target.events || this.#bytes > target.bytes;
    const newest = this.#order.at(-1);
    const finished = this.#remove((event) => event !== newest && !isNeeded(event), isOver);
    const needed = isOver(0) ? this.#remove((event) => event !== newest, isOver) : 0;
    this.#warned = false;
    this.#log({
      event: 'event_store.evicted',
      events: finished + needed,
      ofRunningCalls: needed,
    });
  }

  /**
   * Drops the events that `mayGo` picks, from the oldest on, while `goesOn`. Each stream loses from its front only: its
   * order is the global order.
   */
  #remove(
    mayGo: (event: LoggedEvent<T>) => boolean,
    goesOn: (removed: number) => boolean = () => true,
  ): number {
    const gone = new Map<LoggedStream<T>, number>();
    const kept: LoggedEvent<T>[] = [];
    let at = 0;
    for (const event of this.#order) {
      if (!goesOn(at - kept.length)) break;
      at += 1;
      if (mayGo(event)) {
        gone.set(event.stream, (gone.get(event.stream) ?? 0) + 1);
        this.#bytes -= event.bytes;
      } else kept.push(event);
    }
    const removed = at - kept.length;
    this.#order = kept.concat(this.#order.slice(at));
    for (const [stream, count] of gone) {
      stream.events = stream.events.slice(count);
      stream.first += count;
      if (stream.events.length === 0 && !stream.running && stream.id !== STANDALONE_STREAM_ID) {
        this.#byId.delete(stream.id);
        this.#byToken.delete(stream.token);
      }
    }
    return removed;
  }
}

function isNeeded(event: LoggedEvent<unknown>): boolean {
  return event.stream.running;
}
