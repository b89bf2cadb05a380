/**
 * Sends the progress of a call on the standalone stream instead of the call's own (Python FastMCP without a related
 * request id; 2025-11-25, "Listening for Messages from the Server", 4: such messages SHOULD be unrelated to any request).
 */
import type { Profile } from './profile.ts';

export const progressOnGet: Profile = {
  name: 'progress-on-get',
  summary: 'sends progress on the standalone stream, matched by progress token',
  options: () => ({
    relate: (message, requestId) =>
      'method' in message && message.method === 'notifications/progress' ? undefined : requestId,
  }),
};
