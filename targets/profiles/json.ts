/**
 * Answers a request with one JSON body instead of a stream (2025-11-25, "Sending Messages to the Server", 5; the SDK's
 * `enableJsonResponse`). Notifications of a call are lost; questions go to the standalone stream.
 */
import { isRequest } from '../core/messages.ts';
import type { Profile } from './profile.ts';

export const json: Profile = {
  name: 'json',
  summary: 'responds with plain JSON: no stream, event IDs or progress',
  options: () => ({
    jsonResponses: true,
    createEventStore: null,
    relate: (message, requestId) => (isRequest(message) ? undefined : requestId),
  }),
};
