/**
 * Replays everything that the session ever sent, whatever the position: events that were already delivered, and other
 * streams' (server-everything; 2025-11-25, "Resumability and Redelivery", 2: a server MUST NOT replay what would have
 * been delivered on a different stream).
 */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { MemoryEventStore } from '../core/memoryEventStore.ts';
import type { Profile } from './profile.ts';

function createGenerousStore(): EventStore {
  const store = new MemoryEventStore();
  const sent: { eventId: string; message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(streamId, message) {
      const eventId = await store.storeEvent(streamId, message);
      if ('jsonrpc' in message) sent.push({ eventId, message });
      return eventId;
    },
    getStreamIdForEventId: (eventId) => store.getStreamIdForEventId(eventId),
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = await store.getStreamIdForEventId(lastEventId);
      if (streamId === undefined) throw new Error('Unknown event ID');
      for (const { eventId, message } of sent) await send(eventId, message);
      return streamId;
    },
  };
}

export const overReplay: Profile = {
  name: 'over-replay',
  summary: 'replays too much: events already delivered, and events of other streams',
  options: () => ({ createEventStore: createGenerousStore }),
};
