/**
 * The events of one session on Redis Streams, for servers that outgrow one process: whichever process a client comes
 * back to finds what was sent. A Redis stream for each MCP stream, and a few keys that tell a session's streams apart.
 */
import { DEFAULT_LIMITS } from '../core/memoryEventStore.ts';
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

export interface RedisEventLogOptions {
  readonly client: RedisCommands;
  /** Separates the sessions that share a Redis. */
  readonly sessionId: string;
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  /** A stream is forgotten when nothing was stored in it for this long. */
  readonly maxAgeMs?: number;
}

export interface RedisEvent {
  readonly id: string;
  readonly text: string;
}

const TOKEN_FIELD = 'token:';

interface Position {
  readonly token: string;
  readonly number: number;
  readonly streamId: string;
}

/** Event ids are `<token>.<number>`, as in memory; the number is the id in the Redis stream. */
export class RedisEventLog {
  readonly #client: RedisCommands;
  readonly #limits: readonly string[];
  readonly #prefix: string;

  constructor({ client, sessionId, ...limits }: RedisEventLogOptions) {
    const { maxEvents, maxBytes, maxAgeMs } = { ...DEFAULT_LIMITS, ...limits };
    this.#client = client;
    this.#limits = [maxEvents, maxBytes, maxAgeMs].map(String);
    // The braces keep a session in one slot of a cluster, which the script needs.
    this.#prefix = `mcp:{${encodeURIComponent(sessionId)}}:`;
  }

  /** Returns the event id. `isRunning`: belongs to a call that is still running, so what it has sent goes last. */
  async append(streamId: string, text: string, isRunning: boolean): Promise<string> {
    const token = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    const eventId = await this.#client.eval(STORE_SCRIPT, {
      keys: [this.#key('order'), this.#key('streams'), this.#key('meta')],
      arguments: [streamId, token, text, isRunning ? '1' : '0', ...this.#limits, this.#streamKey('')],
    });
    return String(eventId);
  }

  async streamOf(eventId: string): Promise<string | undefined> {
    return (await this.#find(eventId))?.streamId;
  }

  /** Up to `max` events that follow; `undefined` if the id isn't known, or what follows was removed. */
  async readAfter(eventId: string, max: number): Promise<readonly RedisEvent[] | undefined> {
    const position = await this.#find(eventId);
    if (!position) return undefined;
    const { token, number } = position;
    const page = await this.#eventsAfter(token, number, max);
    return page.map(({ id, message }) => ({
      id: `${token}.${Number.parseInt(id, 10)}`,
      text: message['m'] ?? '{}',
    }));
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
