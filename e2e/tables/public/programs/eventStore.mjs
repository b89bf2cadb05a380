// Keeps events in memory, in the order in which they came; a stream ID is looked up, not cut out of the event ID.
export class EventStore {
  #events = [];

  async storeEvent(streamId, message) {
    const eventId = `${this.#events.length + 1}`;
    this.#events.push({ eventId, streamId, message });
    return eventId;
  }

  async getStreamIdForEventId(eventId) {
    return this.#events.find((event) => event.eventId === eventId)?.streamId;
  }

  async replayEventsAfter(lastEventId, { send }) {
    const at = this.#events.findIndex(({ eventId }) => eventId === lastEventId);
    const streamId = this.#events[at]?.streamId ?? '';
    for (const event of this.#events.slice(at + 1)) {
      // The first event of a stream is stored without a message.
      const isMessage = Object.keys(event.message).length > 0;
      if (event.streamId === streamId && isMessage) await send(event.eventId, event.message);
    }
    return streamId;
  }
}
