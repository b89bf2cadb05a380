/** The event store of one session on Redis, as the SDK's transport uses it. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isResponse, STANDALONE_STREAM_ID } from '../core/messages.ts';
import { RedisEventLog, type RedisEventLogOptions } from './redisEventLog.ts';

const PAGE_SIZE = 500;

type Sender = Parameters<EventStore['replayEventsAfter']>[1];

export class RedisEventStore implements EventStore {
  readonly #events: RedisEventLog;
  readonly #replays = new Set<Promise<unknown>>();

  constructor(options: RedisEventLogOptions) {
    this.#events = new RedisEventLog(options);
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const isRunning = streamId !== STANDALONE_STREAM_ID && !isResponse(message);
    const eventId = await this.#events.append(streamId, JSON.stringify(message), isRunning);
    await this.#replaysOver();
    return eventId;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events.streamOf(eventId);
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

  /** Forgets the session; for its end by `DELETE` or by the reaper. */
  async clear(): Promise<void> {
    await this.#events.clear();
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
    const streamId = await this.#events.streamOf(lastEventId);
    if (streamId === undefined) throw new Error(`No events are stored after the event ${lastEventId}`);
    for (let last = lastEventId, isMore = true; isMore;) {
      const page = (await this.#events.readAfter(last, PAGE_SIZE)) ?? [];
      for (const { id, text } of page) {
        last = id;
        const stored = JSON.parse(text) as JSONRPCMessage;
        if ('jsonrpc' in stored) await send(id, stored);
      }
      isMore = page.length === PAGE_SIZE;
    }
    return streamId;
  }
}
