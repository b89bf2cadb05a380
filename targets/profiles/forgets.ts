/**
 * Takes `initialize` and `notifications/initialized`, then knows nothing of the session: the next request gets 404, and
 * so does every session that is begun after it (several instances behind a load balancer without sticky sessions).
 */
import type { Session } from '../core/session.ts';
import type { Profile } from './profile.ts';

export const forgets: Profile = {
  name: 'forgets',
  summary: 'drops every session: returns 404 after notifications/initialized',
  options: () => {
    const initialized = new WeakSet<Session>();
    return {
      onSession: (session) => {
        initialized.add(session);
        return () => undefined;
      },
      around: async (request, next, sessions) => {
        const session = sessions.find(request);
        const response = await next(request);
        if (session && initialized.has(session)) await session.close('forgotten');
        return response;
      },
    };
  },
};
