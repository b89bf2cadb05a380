/**
 * `initialize` on a known session makes a new transport and keeps the server and the event store: the way around the
 * SDK's "Server already initialized" that many servers copy (csharp-sdk #1422).
 */
import type { Profile } from './profile.ts';

export const recreate: Profile = {
  name: 'recreate',
  summary: 'accepts initialize for an existing session and keeps its events',
  options: () => ({
    branches: {
      reconnect: async (request, body, session) => {
        await session.recreateTransport();
        return session.post(request, body);
      },
    },
  }),
};
