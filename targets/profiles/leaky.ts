/**
 * One event store for all sessions: with another session's event id, its messages come (2025-11-25, "Resumability and
 * Redelivery": ids are unique within the session, and name a stream of it). A security hole, not a nuisance.
 */
import { MemoryEventStore } from '../core/memoryEventStore.ts';
import type { Profile } from './profile.ts';

export const leaky: Profile = {
  name: 'leaky',
  summary: "shares one event store, so other sessions' messages are readable",
  options: () => {
    const shared = new MemoryEventStore();
    return {
      // It has no `clear`, so the end of one session leaves the messages of all.
      createEventStore: () => ({
        storeEvent: (streamId, message) => shared.storeEvent(streamId, message),
        getStreamIdForEventId: (eventId) => shared.getStreamIdForEventId(eventId),
        replayEventsAfter: (eventId, sender) => shared.replayEventsAfter(eventId, sender),
      }),
    };
  },
};
