/**
 * A resumed stream brings what was stored after the event ID on any stream of the session, and then nothing: the next
 * GET, from the newer ID, brings more. This is the event store of server-everything 2026.8.31, priming events included,
 * which it replays as empty messages (2025-11-25, "Resumability and Redelivery", 2).
 */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Profile } from './profile.ts';

function createMixingStore(): EventStore {
  const events = new Map<string, JSONRPCMessage>();
  return {
    async storeEvent(_streamId, message) {
      const eventId = crypto.randomUUID();
      events.set(eventId, message);
      return eventId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const stored = [...events];
      const known = stored.findIndex(([eventId]) => eventId === lastEventId);
      const later = known === -1 ? [] : stored.slice(known + 1);
      for (const [eventId, message] of later) await send(eventId, message);
      // The transport takes this for the stream's ID, and finds nobody who sends on it.
      return later.at(-1)?.[0] ?? lastEventId;
    },
  };
}

export const mixesStreams: Profile = {
  name: 'mixes-streams',
  summary: 'a resumed stream replays events of all streams, then stalls until the next GET',
  options: () => ({ createEventStore: createMixingStore }),
};
