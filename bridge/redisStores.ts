/** Events and the directory of sessions on Redis: bridges that share it serve each other's sessions. */
import { createClient } from '@redis/client';
import { STANDALONE_STREAM_ID } from '../targets/core/messages.ts';
import { RedisEventLog, type RedisCommands } from '../targets/stores/redisEventLog.ts';
import type { PageLimits } from '../targets/core/eventLog.ts';
import { Watchers, type BridgeEventStore, type EventPage } from './eventStore.ts';
import { ANNOUNCED_FOR_MS } from './sessionDirectory.ts';
import type { StoreLimits, Stores } from './stores.ts';

/** The part of the client that a store uses. */
interface Client extends RedisCommands {
  publish(channel: string, message: string): Promise<unknown>;
}

/** Before the text of an event: whether its stream ends with it. */
const LAST = '!';
const NOT_LAST = ' ';

/** Redis counts events only, and a page of them is in memory at once. */
const MAX_PAGE_EVENTS = 500;

const RECONNECT_MS = 500;

const ownerKey = (sessionId: string): string => `mcp-reprise:owner:${sessionId}`;
const CHANGES = 'mcp-reprise:changed:';

export async function openRedisStores(url: string, limits: StoreLimits): Promise<Stores> {
  // The first connection fails at once, with its reason. A later one is tried again until Redis is back.
  let wasConnected = false;
  const reconnectStrategy = () => (wasConnected ? RECONNECT_MS : false);
  const client = createClient({ url, socket: { reconnectStrategy } });
  // Commands fail with the same error, where somebody waits for it.
  client.on('error', () => undefined);
  await client.connect();
  wasConnected = true;
  const subscriber = client.duplicate();
  subscriber.on('error', () => undefined);
  await subscriber.connect();
  const watchers = new Watchers();
  await subscriber.pSubscribe(`${CHANGES}*`, (_message, channel) => watchers.wake(channel));
  let closing: Promise<void> | undefined;
  return {
    create: (sessionId) => new RedisStore(client, watchers, sessionId, limits),
    directory: {
      announce: async (id, owner) =>
        void (await client.set(ownerKey(id), owner, { expiration: { type: 'PX', value: ANNOUNCED_FOR_MS } })),
      find: async (id) => (await client.get(ownerKey(id))) ?? undefined,
      remove: async (id) => void (await client.del(ownerKey(id))),
    },
    close: () => {
      closing ??= Promise.all([subscriber.close(), client.close()]).then(() => undefined);
      return closing;
    },
  };
}

class RedisStore implements BridgeEventStore {
  readonly #client: Client;
  readonly #watchers: Watchers;
  readonly #sessionId: string;
  readonly #events: RedisEventLog;
  /** What this bridge has stored: Redis itself is not asked. */
  #count = { events: 0, bytes: 0 };

  constructor(client: Client, watchers: Watchers, sessionId: string, limits: StoreLimits) {
    this.#client = client;
    this.#watchers = watchers;
    this.#sessionId = sessionId;
    this.#events = new RedisEventLog({ client, sessionId, ...limits });
  }

  mark(streamId: string): Promise<string> {
    return this.#store(streamId, '', false);
  }

  async append(streamId: string, text: string, isLast: boolean): Promise<void> {
    await this.#store(streamId, text, isLast);
  }

  streamOf(eventId: string): Promise<string | undefined> {
    return this.#events.streamOf(eventId);
  }

  async readAfter(eventId: string, limits: PageLimits): Promise<EventPage | undefined> {
    const max = Math.min(limits.events, MAX_PAGE_EVENTS);
    const page = await this.#events.readAfter(eventId, max);
    if (!page) return undefined;
    const events = page.map(({ id, text }) => ({ id, text: text.slice(1), isLast: text.startsWith(LAST) }));
    return { events, hasMore: page.length === max };
  }

  watch(streamId: string, listener: () => void): () => void {
    return this.#watchers.add(this.#channel(streamId), listener);
  }

  size(): { events: number; bytes: number } {
    return this.#count;
  }

  async clear(): Promise<void> {
    await this.#events.clear();
  }

  async #store(streamId: string, text: string, isLast: boolean): Promise<string> {
    const isRunning = streamId !== STANDALONE_STREAM_ID && !isLast;
    const { events, bytes } = this.#count;
    this.#count = { events: events + 1, bytes: bytes + text.length };
    const stored = this.#events.append(streamId, `${isLast ? LAST : NOT_LAST}${text}`, isRunning);
    // Commands of one connection keep their order, so the event is there when others hear of it.
    const published = this.#client.publish(this.#channel(streamId), '');
    const [id] = await Promise.all([stored, published]);
    return id;
  }

  #channel(streamId: string): string {
    return `${CHANGES}${this.#sessionId}:${streamId}`;
  }
}
