/**
 * Puts the stream id into the event id and splits it again at the first `_`: ids of the stream `_GET_stream` cannot be
 * resolved, and a resume of it is silent for ever (typescript-sdk #943, #2560: the example's event store).
 */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Profile } from './profile.ts';

function createSplittingStore(): EventStore {
  const events = new Map<string, { streamId: string; message: JSONRPCMessage }>();
  const streamOf = (eventId: string) => eventId.split('_')[0] ?? '';
  let count = 0;
  return {
    async storeEvent(streamId, message) {
      count += 1;
      const eventId = `${streamId}_${count}`;
      events.set(eventId, { streamId, message });
      return eventId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = streamOf(lastEventId);
      if (streamId === '' || !events.has(lastEventId)) return '';
      let isAfter = false;
      for (const [eventId, event] of events) {
        if (isAfter && event.streamId === streamId) await send(eventId, event.message);
        if (eventId === lastEventId) isAfter = true;
      }
      return streamId;
    },
  };
}

export const underscore: Profile = {
  name: 'underscore',
  summary: 'parses event IDs incorrectly, so the standalone stream resumes without events',
  options: () => ({ createEventStore: createSplittingStore }),
};
