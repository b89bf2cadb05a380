/**
 * An event store on Redis Streams, for servers that outgrow one process: whichever process a client comes back to finds
 * what was sent. A Redis stream for each MCP stream, and a few keys that tell a session's streams apart.
 */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DEFAULT_LIMITS } from '../core/memoryEventStore.ts';
import { isResponse, STANDALONE_STREAM_ID } from '../core/messages.ts';
import { STORE_SCRIPT } from './redisScript.ts';

/** The part of the official client (`createClient()` of `redis`) that is used. */
export interface RedisCommands {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  hGet(key: string, field: string): Promise<string | null>;
  hKeys(key: string): Promise<string[]>;
  xRange(
    key: string,
    start: string,
    end: string,
    options: { COUNT: number },
  ): Promise<{ id: string; message: Record<string, string> }[] | null>;
  del(keys: string[]): Promise<number>;
}

export interface RedisEventStoreOptions {
  readonly client: RedisCommands;
  /** Separates the sessions that share a Redis. */
  readonly sessionId: string;
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  /** A stream is forgotten when nothing was stored in it for this long. */
  readonly maxAgeMs?: number;
}

const PAGE_SIZE = 500;
const TOKEN_FIELD = 'token:';

type Sender = Parameters<EventStore['replayEventsAfter']>[1];

interface Position {
  readonly token: string;
  readonly number: number;
  readonly streamId: string;
}

/** Event ids are `<token>.<number>`, as in the memory store; the number is the id in the Redis stream. */
export class RedisEventStore implements EventStore {
  readonly #client: RedisCommands;
  readonly #limits: readonly string[];
  readonly #prefix: string;
  readonly #replays = new Set<Promise<unknown>>();

  constructor({ client, sessionId, ...limits }: RedisEventStoreOptions) {
    const { maxEvents, maxBytes, maxAgeMs } = { ...DEFAULT_LIMITS, ...limits };
    this.#client = client;
    this.#limits = [maxEvents, maxBytes, maxAgeMs].map(String);
    // The braces keep a session in one slot of a cluster, which the script needs.
    this.#prefix = `mcp:{${encodeURIComponent(sessionId)}}:`;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const token = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    const isRunning = streamId !== STANDALONE_STREAM_ID && !isResponse(message);
    const eventId = await this.#client.eval(STORE_SCRIPT, {
      keys: [this.#key('order'), this.#key('streams'), this.#key('meta')],
      arguments: [
        streamId,
        token,
        JSON.stringify(message),
        isRunning ? '1' : '0',
        ...this.#limits,
        this.#streamKey(''),
      ],
    });
    await this.#replaysOver();
    return String(eventId);
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return (await this.#find(eventId))?.streamId;
  }

  async replayEventsAfter(lastEventId: string, sender: Sender): Promise<string> {
    const replay = this.#replay(lastEventId, sender);
    this.#replays.add(replay);
    try {
      return await replay;
    } finally {
      this.#replays.delete(replay);
    }
  }

  /**
   * A transport listens to a stream from the end of its replay on. What was stored too late for the last page, and was
   * given back before that end, would be heard by nobody until the client comes again: so it is given back after it.
   */
  async #replaysOver(): Promise<void> {
    while (this.#replays.size > 0) {
      await Promise.allSettled(this.#replays);
      // The transport takes a few steps of its own from the end of the replay to its listening.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  async #replay(lastEventId: string, { send }: Sender): Promise<string> {
    const position = await this.#find(lastEventId);
    if (!position) throw new Error(`Nothing is kept after the event ${lastEventId}`);
    const { token, streamId } = position;
    for (let after = position.number, isMore = true; isMore;) {
      const page = await this.#eventsAfter(token, after, PAGE_SIZE);
      for (const { id, message } of page) {
        after = Number.parseInt(id, 10);
        const stored = JSON.parse(message['m'] ?? '{}') as JSONRPCMessage;
        if ('jsonrpc' in stored) await send(`${token}.${after}`, stored);
      }
      isMore = page.length === PAGE_SIZE;
    }
    return streamId;
  }

  /** Forgets the session; for its end by `DELETE` or by the reaper. */
  async clear(): Promise<void> {
    const fields = await this.#client.hKeys(this.#key('streams'));
    const tokens = fields
      .filter((field) => field.startsWith(TOKEN_FIELD))
      .map((field) => field.slice(TOKEN_FIELD.length));
    await this.#client.del([
      ...['order', 'streams', 'meta'].map((name) => this.#key(name)),
      ...tokens.map((token) => this.#streamKey(token)),
    ]);
  }

  /** An id is known while every event after it is kept: a replay with a hole would be a lie. */
  async #find(eventId: string): Promise<Position | undefined> {
    const [, token = '', digits = ''] = /^([0-9a-f]{16})\.([1-9]\d{0,14})$/.exec(eventId) ?? [];
    if (token === '') return undefined;
    const [streamId, last] = await Promise.all([
      this.#client.hGet(this.#key('streams'), `${TOKEN_FIELD}${token}`),
      this.#client.hGet(this.#key('meta'), `last:${token}`),
    ]);
    const number = Number(digits);
    if (streamId === null || last === null || number > Number(last)) return undefined;
    if (number < Number(last)) {
      const [next] = await this.#eventsAfter(token, number, 1);
      if (next?.id !== `${number + 1}-0`) return undefined;
    }
    return { token, number, streamId };
  }

  async #eventsAfter(token: string, number: number, count: number) {
    return (await this.#client.xRange(this.#streamKey(token), `(${number}-0`, '+', { COUNT: count })) ?? [];
  }

  #key(name: string): string {
    return `${this.#prefix}${name}`;
  }

  #streamKey(token: string): string {
    return this.#key(`stream:${token}`);
  }
}
